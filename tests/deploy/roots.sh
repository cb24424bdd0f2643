# shellcheck shell=bash
# Roots of their own for tests of the installer: made once, kept, and laid over afresh each time. Sourced, not run.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
kept=${COMPANION_ROOTS:-/var/cache/companion-roots}

skip() {
  echo "skipped: $*"
  exit 77
}

case ${1:-} in
  -*)
    sed -n '2,/^set\|^#.*shellcheck/{/shellcheck/d;s/^# \{0,1\}//p}' "$0"
    exit 0
    ;;
esac
[ "$(id -u)" = 0 ] || skip "this needs root, to make a root of its own"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
command -v unshare >/dev/null || skip "unshare is not installed"
here=$(dpkg --print-architecture)

# Run programs of another processor: by the kernel, which asks qemu.
can_run() {
  local to=$1
  [ "$to" = "$here" ] && return
  local qemu=aarch64 rules=/proc/sys/fs/binfmt_misc
  [ "$to" = arm64 ] || skip "only arm64 is emulated, not $to"
  # A Pi 4's. What qemu takes by itself has newer vector instructions, which no Pi has: emulated (by qemu 7.2) they took
  # OpenBLAS thirty times as long, and some products of matrices came out as "not a number".
  export QEMU_CPU=cortex-a72
  [ -e $rules/register ] || mount -t binfmt_misc binfmt_misc $rules 2>/dev/null ||
    skip "the kernel here has no binfmt_misc, so arm64 programs can't be run"
  [ -e $rules/qemu-$qemu ] && return
  [ -r /usr/lib/binfmt.d/qemu-$qemu.conf ] || skip "qemu-user-static is not installed"
  cat /usr/lib/binfmt.d/qemu-$qemu.conf >$rules/register || skip "the kernel does not take qemu as an interpreter"
}

# The address of the mirror that this computer uses for a kind of suite.
mirror() {
  apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
    awk -F'|' -v label="$1" '$1 == "Debian" && $2 == label { print $3; exit }'
}

# A pristine root, made once.
pristine() {
  local suite=$1 arch=$2 root=$3 from
  [ -e "$root/.ready" ] && return
  from=$(mirror Debian)
  [ -n "$from" ] || skip "this computer has no Debian mirror configured"
  echo "== a fresh $suite for $arch (a few minutes)"
  rm -rf "$root"
  mkdir -p "$root"
  # The smallest Debian, and of what every installed one has that which ours would bring along for good.
  debootstrap --arch="$arch" --variant=minbase --include=adduser,ca-certificates,python3,systemd,systemd-sysv "$suite" "$root" "$from" \
    >"$root.log" 2>&1 || { tail -5 "$root.log"; skip "debootstrap of $suite for $arch did not work"; }
  {
    echo "deb $from $suite main"
    echo "deb $from $suite-updates main"
    local security
    security=$(mirror Debian-Security)
    [ -z "$security" ] || echo "deb $security $suite-security main"
  } >"$root/etc/apt/sources.list"
  # All that Debian has mended since: else an installation would bring some of it, and uninstalling could not take it back.
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  find /etc/apt/apt.conf.d -name '9*' -exec cp {} "$root/etc/apt/apt.conf.d/" \;
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  chroot "$root" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$root" apt-get dist-upgrade -qq --yes >>"$root.log" 2>&1
  touch "$root/.ready"
}

# All that has to be there from outside: names, certificates, this computer's ways to packages; and what a Pi has.
furnish() {
  local root=$1
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/ca-certificates.crt"
  [ ! -e /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
  find /etc/apt/apt.conf.d -name '9*' -exec cp {} "$root/etc/apt/apt.conf.d/" \;
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod 755 "$root/usr/sbin/policy-rc.d"
  mkdir -p "$root/boot/firmware" "$root/src"
  cat >"$root/boot/firmware/config.txt" <<'END'
# For more options and information see the documentation
#dtparam=i2c_arm=on
dtparam=audio=on
camera_auto_detect=1
[cm4]
otg_mode=1
[all]
END
  printf 'raspberrypi\n' >"$root/etc/hostname"
  printf '127.0.0.1\tlocalhost\n127.0.1.1\traspberrypi\n' >"$root/etc/hosts"
  local group
  for group in i2c gpio spi render; do
    grep -q "^$group:" "$root/etc/group" || chroot "$root" groupadd --system "$group"
  done
  (cd "$top" && git ls-files -z | tar -c --null -T - --ignore-failed-read 2>/dev/null) | tar -x -C "$root/src"
}

# Run a command in the root, as a login would. Under emulation nothing is compiled that is never run (pip wants a "no"
# for that), and what is run is compiled once.
inside() {
  # shellcheck disable=SC2086
  env -i ${emulated:+"QEMU_CPU=$QEMU_CPU" PIP_NO_COMPILE=no PYTHONPYCACHEPREFIX=/tmp/compiled} PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    ${PIP_CERT:+"PIP_CERT=$PIP_CERT"} ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} chroot "$root" "$@"
}

list() { python3 "$top/tests/deploy/everything.py" "$root" >"$work/$1"; }

same() {
  if ! diff "$work/$1" "$work/$2" >"$work/difference"; then
    echo "$3:"
    head -60 "$work/difference"
    return 1
  fi
}

say() { echo "-- $* ($SECONDS s)"; }

# Run a function on a root of suite and processor ("bookworm", "trixie-amd64"), in name spaces of its own: whatever
# happens, nothing stays mounted and nothing goes on running.
on_root() {
  local suite=${1%%-*} arch=arm64 status=0 what=$2
  [ "$1" = "$suite" ] || arch=${1#*-}
  can_run "$arch"
  mkdir -p "$kept"
  base=$kept/$suite-$arch
  pristine "$suite" "$arch" "$base"
  work=$(mktemp -d "$kept/night-XXXXXX")
  root=$work/root
  mkdir "$work/upper" "$work/work" "$root"
  echo "== $suite for $arch"
  emulated=
  [ "$arch" = "$here" ] || emulated=yes
  # shellcheck disable=SC2163
  export -f furnish inside list same say enter "$what"
  export top work root base emulated
  unshare --mount --pid --mount-proc --fork --kill-child bash -euo pipefail -c "enter; $what" || status=$?
  rm -rf "$work"
  return $status
}

# Lay a fresh root out, and mount what a program expects.
enter() {
  mount -t overlay overlay -o "lowerdir=$base,upperdir=$work/upper,workdir=$work/work" "$root" 2>/dev/null ||
    cp -a "$base/." "$root"
  furnish "$root"
  mount -t proc proc "$root/proc"
  mount -t tmpfs tmpfs "$root/run"
  mount -t tmpfs tmpfs "$root/tmp"
  mkdir -m 1777 "$root/tmp/compiled"
  mount --rbind /dev "$root/dev"
  inside apt-get update -qq
}
