#!/usr/bin/env bash
# The Debian package of BUILD, installed on a bare Debian that debootstrap makes, runs the demonstration there.
#     tests/package.sh SOURCE BUILD
# It takes two to three minutes. It needs root, Debian, and Debian's mirror ($MIRROR, or deb.debian.org); where one
# of them is missing it says so and ends with 77, which is a skip.
# Covers: cmake ci/package ci/install CMakeLists.txt
set -euo pipefail
source=$1 build=$2
skip() {
    echo "skipped: $*"
    exit 77
}
. /etc/os-release
[ "$ID" = debian ] || skip "the package is tried on a bare Debian, and this is $ID"
[ "$(id -u)" = 0 ] || skip 'only root can make a bare Debian'
unshare --mount true 2>/dev/null || skip 'no mounts may be made here'
command -v debootstrap >/dev/null || { echo 'there is no debootstrap: ci/install --tests' >&2; exit 1; }
mirror=${MIRROR:-http://deb.debian.org/debian}
wget -q -O /dev/null --tries=2 --timeout=20 "$mirror/dists/$VERSION_CODENAME/Release" || skip "$mirror cannot be reached"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
MIRROR=$mirror "$source/ci/package" --build "$build" -o "$scratch" --try "$VERSION_CODENAME" >"$scratch/log" 2>&1 ||
    { cat "$scratch/log" >&2; exit 1; }
grep "works on a bare $VERSION_CODENAME" "$scratch/log" || { cat "$scratch/log" >&2; exit 1; }
