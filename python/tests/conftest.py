"""Tests see the package of this checkout, and each other's samples."""

import os
import pathlib
import sys

sys.path[:0] = [str(pathlib.Path(__file__).parent), str(pathlib.Path(__file__).parent.parent)]

# The binary of this checkout, if it was built: `make test` does.
_BUILT = pathlib.Path(__file__).parent.parent.parent / "target" / "debug" / "waymark"
if _BUILT.exists():
    os.environ.setdefault("WAYMARK_BINARY", str(_BUILT))
