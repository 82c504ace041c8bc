"""Builds the resources of the template with its own Makefiles, and archives them: once for each state of the sources.

An archive is named by the hash of its sources, so an unchanged checkout builds nothing.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from feedward_local.aws.unpacked import all_but_newest, drop_unfinished
from feedward_local.deployment.package import Source
from feedward_local.errors import LocalStackError
from feedward_local.workspace import Workspace

# Sources of a build outside the code folder.
BUILT_WITH = {"PageFunction": ("web", "seed")}
UNFINISHED = "building-"
UNBUILT = ("__pycache__", ".mypy_cache", ".ruff_cache")
KEPT_ARCHIVES = 8  # per resource; older ones are removed


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """The machine to build for: an interpreter, its version as `3.13`."""

    python: Path
    python_version: str


def build(workspace: Workspace, source: Source, target: Target, extra: Mapping[str, Path] | None = None) -> Path:
    """Return the archive of one function or layer, building it if needed.

    `extra` adds folders to it, or replaces files: name inside the archive -> folder.
    Raises LocalStackError with the build's own output.
    """
    added = dict(extra or {})
    code, makefile = workspace.project / source.folder, workspace.project / source.context / "Makefile"
    beside = [workspace.project / name for name in BUILT_WITH.get(source.logical_id, ())]
    digest = sources_hash([code, makefile, *beside, *added.values()], also=(target.python_version, *added))
    archive = workspace.build / f"{source.logical_id}-{digest}.zip"
    if not archive.exists():
        workspace.build.mkdir(parents=True, exist_ok=True)
        drop_unfinished(workspace.build, UNFINISHED)
        with tempfile.TemporaryDirectory(prefix=UNFINISHED, dir=workspace.build) as scratch:
            folder = Path(scratch) / "artifacts"
            folder.mkdir()
            _make(code, makefile, source.logical_id, folder, target)
            for name, path in added.items():
                shutil.copytree(path, folder / name, ignore=shutil.ignore_patterns(*UNBUILT), dirs_exist_ok=True)
            _archive(folder, archive)
        _forget_old(workspace.build, source.logical_id)
    os.utime(archive)
    return archive


def _make(code: Path, makefile: Path, logical_id: str, folder: Path, target: Target) -> None:
    """Run the target that `sam build` would run, in the code's folder, for this machine."""
    settings = {
        "ARTIFACTS_DIR": str(folder),
        "ARCHITECTURE": "host",
        "PYTHON_VERSION": target.python_version,
        "PYTHON": str(target.python),
    }
    command = ["make", "--no-print-directory", "-C", str(code), "-f", str(makefile), f"build-{logical_id}"]
    # On the command line, not in the environment, where a Makefile's own value would win.
    command += [f"{name}={value}" for name, value in settings.items()]
    # Without the flags and jobs that an outer make passes on: they are not meant for this build.
    inherited = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL")}
    # First from uv's cache only, so that a code change needs no network.
    if _run(command, inherited | {"UV_OFFLINE": "1"}).returncode != 0:
        done = _run(command, inherited)
        if done.returncode != 0:
            raise LocalStackError(f"Building {logical_id} failed:\n{(done.stdout + done.stderr).strip()[-2000:]}")


def _run(command: list[str], environment: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, env=dict(environment), capture_output=True, text=True, check=False)


def sources_hash(roots: Iterable[Path], *, also: Iterable[str] = ()) -> str:
    """Hash of all files under the roots, by relative name and content, and of some texts. 16 hex digits."""
    digest = hashlib.sha256("\0".join(also).encode())
    for root in roots:
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if path.is_file() and not any(part in UNBUILT for part in path.parts):
                content = path.read_bytes()
                digest.update(f"\0{path.relative_to(root)}\0{len(content)}\0".encode())
                digest.update(content)
    return digest.hexdigest()[:16]


def _archive(folder: Path, archive: Path) -> None:
    """Zip a folder; the name appears only when the archive is complete."""
    unfinished = folder.parent / archive.name
    with zipfile.ZipFile(unfinished, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as out:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                out.write(path, path.relative_to(folder))
    unfinished.replace(archive)


def _forget_old(folder: Path, logical_id: str) -> None:
    for old in all_but_newest(folder.glob(f"{logical_id}-*.zip"), KEPT_ARCHIVES):
        old.unlink(missing_ok=True)
