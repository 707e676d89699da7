#!/bin/sh
# Makes build/asimi_VERSION_all.deb of a wheel and what it needs: `packaging/deb.sh PYTHON-WITH-PIP WHEEL`.
#
# Debian 12 has older versions of typer, rich and prompt-toolkit than asimi needs, so the package carries its own, in a
# directory that no other program imports from. The same wheel and the same versions give the same
# bytes.
set -eu
pip_python=$1 wheel=$2
cd "$(dirname "$0")/.."
version=$(basename "$wheel" | cut -d- -f2)
tree=build/deb/tree
package=build/asimi_${version}_all.deb
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-1580601600} # as hatchling dates the wheel
export SOURCE_DATE_EPOCH
umask 022
rm -rf build/deb build/asimi_*.deb
mkdir -p "$tree/usr/bin" "$tree/usr/lib" "$tree/usr/share/doc/asimi" "$tree/DEBIAN"

packaging/tree.sh "$pip_python" "$wheel" "$tree/usr/lib/asimi"
mv "$tree/usr/lib/asimi/share/man" "$tree/usr/share/man"
find "$tree/usr/share/man" -type f -exec gzip -9n {} +
rm -rf "$tree/usr/lib/asimi/share"

cat >"$tree/usr/bin/asimi" <<'PROGRAM'
#!/usr/bin/python3 -I
import sys

sys.path.insert(0, "/usr/lib/asimi")
from asimi.__main__ import main  # noqa: E402

main()
PROGRAM
chmod 755 "$tree/usr/bin/asimi"

completes() { # SHELL FILE
  mkdir -p "$(dirname "$tree/usr/share/$2")"
  PYTHONPATH="$tree/usr/lib/asimi" "$pip_python" -BP -m asimi completion "$1" >"$tree/usr/share/$2"
}
completes bash bash-completion/completions/asimi
completes zsh zsh/vendor-completions/_asimi
completes fish fish/vendor_completions.d/asimi.fish

cp LICENSE "$tree/usr/share/doc/asimi/copyright"
for licence in "$tree"/usr/lib/asimi/*.dist-info; do # each package's licence lies beside it
  printf '%s\n' "$(basename "$licence" .dist-info)"
done >"$tree/usr/share/doc/asimi/carries"
gzip -9n <CHANGELOG.md >"$tree/usr/share/doc/asimi/changelog.gz"

cat >"$tree/DEBIAN/control" <<CONTROL
Package: asimi
Version: $version
Architecture: all
Maintainer: The asimi authors <asimi@localhost>
Depends: python3 (>= 3.11), bash (>= 4.4)
Recommends: bubblewrap, git
Section: utils
Priority: optional
Installed-Size: $(du -sk --apparent-size "$tree/usr" | cut -f1)
Description: gate between AI agents and your shell
 asimi reads a command as bash would, judges every part of it by your rules,
 asks you where they do not decide, runs it, and logs what happened.
CONTROL
cat >"$tree/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
set -e
if [ "$1" = configure ]; then # else every start by an ordinary user would compile all of it anew
  python3 -I -m compileall -q /usr/lib/asimi || :
fi
SCRIPT
cat >"$tree/DEBIAN/prerm" <<'SCRIPT'
#!/bin/sh
set -e
find /usr/lib/asimi -name __pycache__ -type d -prune -exec rm -rf {} +
if [ "$1" = remove ]; then
  echo "asimi: agents whose hook is asimi now refuse every command. To take it out of an agent's settings, delete the" >&2
  echo "asimi: entry that names /usr/lib/asimi; before a removal, 'asimi uninstall' does that." >&2
fi
SCRIPT
chmod 755 "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm"
(cd "$tree" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
find "$tree" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package" >/dev/null
echo "$package"
