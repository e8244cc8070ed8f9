"""Generates the Python messages from the .proto files: `python scripts/protos.py [OUT]`.

The wire types belong to `crates/proto`; what this writes is committed, and a test sees to it that the two agree.
"""

import pathlib
import shutil
import sys
import tempfile

from grpc_tools import protoc

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROTOS = ROOT / "crates" / "proto" / "proto"


def generate(out: pathlib.Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        files = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
        arguments = ["protoc", f"-I{PROTOS}", f"--python_out={folder}", f"--pyi_out={folder}", *files]
        if protoc.main(arguments) != 0:
            raise SystemExit("protoc failed")
        # No message refers to another file's, so that they can stand side by side.
        for made in pathlib.Path(folder).rglob("*_pb2.py*"):
            shutil.copy(made, out / made.name)


if __name__ == "__main__":
    generate(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "python" / "waymark" / "_proto")
