#!/usr/bin/env bash
# The packages of BUILD on a bare Debian that debootstrap makes: the wheel starts by pip alone, and the Debian package
# runs the demonstration.
#     tests/package.sh SOURCE BUILD
# It takes two to three minutes. It needs root, Debian, and Debian's mirror ($MIRROR, or deb.debian.org); where one
# of them is missing it says so and ends with 77, which is a skip.
# Covers: cmake ci/install CMakeLists.txt
set -euo pipefail
build=$2
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

root=$(mktemp -d)
chmod 755 "$root" # the system's own /
trap 'rm -rf --one-file-system "$root" "$root.log"' EXIT
logged() { "$@" >"$root.log" 2>&1 || { cat "$root.log" >&2; exit 1; }; }
logged debootstrap --variant=minbase "$VERSION_CODENAME" "$root" "$mirror"
(cd "$build" && logged cpack -B "$root/tmp/packages")
ls "$root"/tmp/packages/gemmgate-*.tar.gz "$root"/tmp/packages/gemmgate-*.whl
cp "$root"/tmp/packages/gemmgate_*.deb "$root/tmp/gemmgate.deb"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
[ ! -e /etc/apt/apt.conf.d ] || grep -rh Proxy /etc/apt/apt.conf.d >"$root/etc/apt/apt.conf.d/90proxy" || true
toolkit=''
if grep -q '^GEMMGATE_CUDA:BOOL=ON' "$build/CMakeCache.txt" && [ -e /usr/local/cuda ]; then
    toolkit=$(realpath /usr/local/cuda)
    mkdir -p "$root/usr/local/cuda"
fi
# Mounts of its own, which end with it.
logged unshare --mount --fork bash -euo pipefail -s "$root" "$toolkit" <<'END'
root=$1 toolkit=$2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
[ -z "$toolkit" ] || mount --bind -o ro "$toolkit" "$root/usr/local/cuda"
chroot "$root" /bin/sh -eu <<'INSIDE'
export DEBIAN_FRONTEND=noninteractive LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin
apt-get -qq update
apt-get -qq install -y --no-install-recommends python3-pip
pip install -q --no-index --target /tmp/wheel /tmp/packages/gemmgate-*.whl
/tmp/wheel/bin/gemmgate --version
/tmp/wheel/bin/gemmgate list candidates /tmp/wheel/share/gemmgate/candidates/examples/host
apt-get -qq install -y --no-install-recommends /tmp/gemmgate.deb gnuplot-nox
useradd --create-home gate
cd /home/gate
run() { su gate -s /bin/sh -c "$*"; }
run gemmgate --version
run '/usr/share/gemmgate/ci/demo -o demo'
run test -s demo/report/report.html
apt-get -qq remove -y gemmgate
[ ! -e /usr/share/gemmgate ] || { echo 'files are left behind'; exit 1; }
INSIDE
END
echo "the package works on a bare $VERSION_CODENAME"
