"""A version is a hash of what was written: it does not depend on the process that compiled it, nor on its hashes of texts."""

import os
import pathlib
import subprocess
import sys
import textwrap

APP = textwrap.dedent(
    """
    import enum, hashlib, json
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
    NESTED = {"k": [frozenset({"p", "q", "r", "s"})]}

    @workflow
    class Sets(Workflow):
        async def run(self, word: str, color: Color) -> object:
            if word in WORDS and color in COLORS and (word, 1) not in PAIRS and one in ACTIONS and (color, color) not in MOVES:
                return await one(WORDS), [json.dumps(word), NESTED]
            return {name.upper() for name in WORDS}

    if __name__ == "__main__":
        inputs = values.encode({"words": WORDS, "numbers": {8, 1, 3}, "pairs": PAIRS})
        print(hashlib.sha256(Sets.__waymark__.compiled().program).hexdigest(), inputs.hex())
    """
)


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
