"""The cheap scans of the local stack give the pages of MiniStack's own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.ministack import PYTHON

SCRIPT = Path(__file__).with_name("ministack_scans.py")


def test_every_page_of_a_table_and_of_an_index_is_the_same(tmp_path: Path) -> None:
    done = subprocess.run([PYTHON, "-P", SCRIPT], stdout=subprocess.PIPE, check=True, cwd=tmp_path)

    said = json.loads(done.stdout.splitlines()[-1])

    assert said["same"]
    assert said["counts"] == [80, 80, 80, 32, 32, 80]
    assert said["tables"] == ["feeds"]
