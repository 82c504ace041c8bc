#!/usr/bin/env bash
# Prints the bin folder of a Python whose version is PYTHON_VERSION (default: the Lambda runtime's, 3.13).
# A pyenv shim is no interpreter: each candidate has to run and say its version. Looked for in this order:
# PYTHON (a path, if given), PATH, pyenv's versions, what uv knows.
set -euo pipefail

version="${PYTHON_VERSION:-3.13}"
here="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

bin_folder_of() { # prints the real bin folder of $1 if it is a Python of that version
    "$1" -c '
import os, sys
if "%d.%d" % sys.version_info[:2] != sys.argv[1]:
    sys.exit(1)
print(os.path.dirname(os.path.abspath(sys.executable)))' "$version" 2>/dev/null
}

candidates() {
    if [ -n "${PYTHON:-}" ]; then
        echo "$PYTHON"
        return
    fi
    type -aP "python$version" python3 || true
    ls -d "${PYENV_ROOT:-${HOME:-}/.pyenv}/versions/$version".*/bin/"python$version" 2>/dev/null || true
    for uv in "${UV:-uv}" "$here/../../.tools/uv/bin/uv"; do
        "$uv" python find --no-project --python-preference only-managed "$version" 2>/dev/null || true
    done
}

while IFS= read -r candidate; do
    if bin_folder_of "$candidate"; then
        exit 0
    fi
done < <(candidates)

cat >&2 <<MESSAGE
No Python $version was found${PYTHON:+ at PYTHON=$PYTHON}. The layer is compiled for the runtime's own version, so one is needed to build.
Install it in one of these ways and try again:
    .tools/uv/bin/uv python install $version
    pyenv install $version
    or say where it is: PYTHON=/path/to/python$version make build
MESSAGE
exit 1
