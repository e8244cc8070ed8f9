"""Installs the Python package of this checkout into the environment that runs this: what is changed in it is there at once.

pytest finds its plugin, as it does where the wheel was installed.
"""

from __future__ import annotations

import pathlib
import sysconfig

ROOT = pathlib.Path(__file__).resolve().parent.parent
PACKAGES = pathlib.Path(sysconfig.get_path("purelib"))

(PACKAGES / "waymark-checkout.pth").write_text(f"{ROOT / 'python'}\n")
about = PACKAGES / "waymark-0.dist-info"
about.mkdir(exist_ok=True)
(about / "METADATA").write_text("Metadata-Version: 2.1\nName: waymark\nVersion: 0\n")
(about / "RECORD").write_text("")
(about / "entry_points.txt").write_text("[pytest11]\nwaymark = waymark.testing.plugin\n")
