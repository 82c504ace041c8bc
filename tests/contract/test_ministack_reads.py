"""The cheap scans and queries of the local stack give the pages of MiniStack's own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from tests.ministack import PYTHON

SCRIPT = Path(__file__).with_name("benches") / "ministack_reads.py"


def test_every_page_of_a_table_and_of_its_indexes_is_the_same(tmp_path: Path) -> None:
    done = subprocess.run([PYTHON, "-P", SCRIPT], stdout=subprocess.PIPE, check=True, cwd=tmp_path)

    said = json.loads(done.stdout.splitlines()[-1])

    assert said["differ"] == []
    assert said["counts"] == [80, 80, 80, 32, 32, 80, 2, 1, 8, 2, 2, 2, 6, 6, 6, 6, 6, 6, 0, 5, 0]
    assert said["tables"] == ["feeds"]
