"""A version is a hash of what was written: it does not depend on the process that compiled it, nor on its hashes of texts."""

import os
import pathlib
import subprocess
import sys
import textwrap

from waymark.values import decode, encode

APP = textwrap.dedent(
    """
    import datetime, enum, hashlib, json, zoneinfo
    from waymark import Workflow, action, values, workflow

    class Color(enum.Enum):
        RED = 1
        GREEN = 2
        BLUE = 3

    @action
    async def one(words: set[str]) -> int: ...

    @action
    async def two() -> int: ...

    WORDS = {"the", "a", "of", "and", "in"}
    PAIRS = frozenset({("x", 1), ("y", 2), ("z", 3)})
    COLORS = {Color.RED, Color.GREEN, Color.BLUE}
    ACTIONS = frozenset({one, two})
    MOVES = {(Color.RED, Color.GREEN), (Color.GREEN, Color.BLUE), (Color.RED, Color.BLUE), (frozenset({Color.RED, Color.BLUE}), "x")}
    ZONES = {datetime.timezone.utc, zoneinfo.ZoneInfo("Europe/Berlin"), datetime.timezone(datetime.timedelta(hours=2))}
    # As many orders as there are ways to come here, of numbers whose hashes meet.
    NUMBERS = {int(word) for word in {"8", "0", "16", "24", "32"}}
    NESTED = {"k": [frozenset({"p", "q", "r", "s"})]}

    @workflow
    class Sets(Workflow):
        async def run(self, word: str, color: Color) -> object:
            if word in WORDS and color in COLORS and (word, 1) not in PAIRS and one in ACTIONS and (color, color) not in MOVES:
                return await one(WORDS), [json.dumps(word), NESTED, len(ZONES), 8 in NUMBERS]
            return {name.upper() for name in WORDS}

    if __name__ == "__main__":
        inputs = values.encode({"words": WORDS, "numbers": [NUMBERS, {8, 1, 3}, {0.5, 8}], "pairs": PAIRS})
        print(hashlib.sha256(Sets.__waymark__.compiled().program).hexdigest(), inputs.hex())
    """
)


def test_a_set_is_the_same_however_it_was_made() -> None:
    for one, other in [({0, 8}, {8, 0}), ({8, 0, 16}, {16, 8, 0}), (frozenset({1, "a"}), frozenset({"a", 1}))]:
        assert encode(one) == encode(other)
    # Not that each level takes twice as long as the one inside it.
    deep = frozenset({"x"})
    for _ in range(60):
        deep = frozenset({deep, "x"})
    assert decode(encode(deep)) == deep


def test_programs_and_values_are_the_same_in_every_process(tmp_path: pathlib.Path) -> None:
    (tmp_path / "app.py").write_text(APP)
    root = pathlib.Path(__file__).parent.parent
    said = []
    for seed in range(4):
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": str(root)}
        ran = subprocess.run([sys.executable, "app.py"], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr
        said.append(ran.stdout)
    assert len(set(said)) == 1, said
