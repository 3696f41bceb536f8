#!/bin/sh
# Unpacks Debian's clamd below a directory, without installing it; `npm run test:clamd` runs the scanner's tests with it.
set -eu
target=${1:?the directory to unpack it to}
mkdir -p "$target"
cd "$target"
[ -x clamd ] && exit 0
apt-get download clamav-daemon libclamav12 libmspack0
for package in ./*.deb; do dpkg-deb -x "$package" .; done
libraries=$(dirname "$(find "$PWD/usr/lib" -name 'libclamav.so.*' | head -n 1)")
printf '#!/bin/sh\nLD_LIBRARY_PATH=%s exec %s "$@"\n' "$libraries" "$PWD/usr/sbin/clamd" > clamd
chmod +x clamd
