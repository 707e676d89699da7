#!/bin/sh
# Puts asimi and what it needs into one directory: `packaging/tree.sh PYTHON-WITH-PIP WHEEL DIRECTORY`.
#
# All of it is Python, so the directory is for every machine; the same wheel and versions give the same files.
set -eu
pip_python=$1 wheel=$2 tree=$3
rm -rf "$tree"
installs() {
  "$pip_python" -m pip install --quiet --disable-pip-version-check --no-compile --target "$tree" --upgrade \
    --only-binary :all: --platform any --python-version 3.11 --implementation py --no-deps "$@"
}
installs --require-hashes -r "$(dirname "$0")/needs.txt"
installs "$wheel"
rm -rf "$tree/bin" "$tree"/*.dist-info/direct_url.json
if find "$tree" -name '*.so' | grep -q .; then echo "a package that asimi needs is not Python alone" >&2; exit 1; fi
