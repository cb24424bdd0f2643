# shellcheck shell=bash
# What emulated computers with a Pi's own processor start with, made of Debian 13's packages without running any of them
# (but for a compiler and qemu, which are a PC's). Sourced after roots.sh, not run. Kept in `guests` (COMPANION_VIRTUAL_PI),
# made again when this or the program's own requirements have changed.
guests=${COMPANION_VIRTUAL_PI:-/var/cache/companion-virtual-pi}
virtual=$top/tests/deploy/virtual_pi
arm=$guests/arm
[ "$here" = amd64 ] || skip "this needs Debian on a PC's processor"
[ -x "$top/.venv/bin/python" ] || skip "there is no .venv in $top: run deploy/test first"

# Download Debian 13's packages, and all they need, for a processor ($1) into a folder of its name.
download() {
  local processor=$1 at=$arm/$1
  mkdir -p "$at"/{lists,cache/archives}/partial
  : >"$at/status"
  printf 'deb %s trixie%s main\n' "$(mirror Debian)" "" "$(mirror Debian)" -updates "$(mirror Debian-Security)" -security >"$at/sources"
  cat >"$at/apt.conf" <<END
APT::Architecture "$processor"; APT::Architectures { "$processor"; };
Dir::Etc::sourcelist "$at/sources"; Dir::Etc::sourceparts "-"; Dir::Etc::trustedparts "/usr/share/keyrings";
Dir::State "$at"; Dir::State::lists "$at/lists"; Dir::State::status "$at/status"; Dir::Cache "$at/cache";
Acquire::Languages "none"; APT::Sandbox::User "root"; APT::Install-Recommends "false"; APT::Get::Assume-Yes "true";
END
  APT_CONFIG=$at/apt.conf apt-get update -qq
  APT_CONFIG=$at/apt.conf apt-get install -qq --download-only "${@:2}" >/dev/null
}

# Unpack packages into a root.
unpack() {
  local root=$1 folder package
  for folder in bin lib lib64 sbin; do
    mkdir -p "$root/usr/$folder"
    ln -sfn "usr/$folder" "$root/$folder"
  done
  for package in "${@:2}"; do dpkg -x "$package" "$root"; done
}

# Kernel, a module for a webcam, the program with its packages; sets `version`, the kernel's.
make_arm() {
  local made
  command -v mke2fs cpio zstd >/dev/null || skip "e2fsprogs, cpio and zstd are needed"
  if [ -e "$arm/version" ]; then version=$(cat "$arm/version"); fi
  made=$({ declare -f make_arm make_module make_lgpio download unpack; cat "$top/requirements.lock"; } | sha256sum | cut -c-16)
  if [ "$(cat "$arm/.ready" 2>/dev/null)" = "$made" ]; then return; fi
  echo "== Debian 13's packages for arm64, and qemu"
  rm -rf "$arm"
  mkdir -p "$arm"/{root,tools}
  # qemu 10 has the display of a Pi's bus; the one before has not.
  download arm64 python3 busybox-static kmod linux-image-arm64 libzbar0t64 libstdc++6
  version=$(basename "$arm"/arm64/cache/archives/linux-image-[0-9]*.deb | sed 's/linux-image-\([^_]*\)_.*/\1/')
  download amd64 qemu-system-arm gcc-14-aarch64-linux-gnu libc6-dev-arm64-cross make dash gawk coreutils sed grep findutils swig "linux-kbuild-${version%-arm64}"
  unpack "$arm/root" "$arm"/arm64/cache/archives/*.deb
  (cd "$arm/arm64" && APT_CONFIG=$arm/arm64/apt.conf apt-get download -qq "linux-headers-$version" "linux-headers-${version%-arm64}-common" \
    v4l2loopback-dkms libpython3.13-dev)
  unpack "$arm/tools" "$arm"/amd64/cache/archives/*.deb "$arm"/arm64/*.deb
  make_module
  make_lgpio
  echo "== the program's packages for arm64"
  # As the installer takes them, but for another processor than this one's.
  "$top/.venv/bin/python" -m pip install -q --target "$arm/root/opt/python" --require-hashes --no-deps -r "$top/requirements.lock" \
    --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
    --python-version 3.13 --implementation cp --only-binary=:all:
  # Of the two ways to send commands that data sheets have, the display that qemu knows wants the longer one, byte by byte.
  sed -i '/self._bus.write_i2c_block_data(self._addr, self._cmd_mode,/{N;s/self._bus.*/[self._bus.i2c_rdwr(self._i2c_msg_write(self._addr, [0x80, one])) for one in cmd]/}' \
    "$arm/root/opt/python/luma/core/interface/serial.py"
  rm -rf "$arm"/{arm64,amd64}
  echo "$version" >"$arm/version"
  echo "$made" >"$arm/.ready"
}

# v4l2loopback is not in Debian's kernel; compiled for it by a PC.
make_module() {
  mkdir -p "$arm/tools"/{dev,module}
  ln -sfn gawk "$arm/tools/usr/bin/awk"
  cp "$arm"/tools/usr/src/v4l2loopback-*/*.[ch] "$arm/tools/module"
  echo 'obj-m := v4l2loopback.o' >"$arm/tools/module/Makefile"
  [ -e "$arm/tools/dev/null" ] || mknod -m 666 "$arm/tools/dev/null" c 1 3
  chroot "$arm/tools" /usr/bin/make -s -C "/usr/src/linux-headers-$version" M=/module ARCH=arm64 \
    CROSS_COMPILE=aarch64-linux-gnu- CC=aarch64-linux-gnu-gcc-14 modules >"$arm/log" 2>&1 || { tail -20 "$arm/log"; exit 1; }
  install -D -m 644 "$arm/tools/module/v4l2loopback.ko" "$arm/root/kept/modules/v4l2loopback.ko"
  depmod -b "$arm/root" "$version"
}

# gpiozero and lgpio for the system's Python, as Raspberry Pi OS has them; Debian and PyPI have no lgpio for arm64.
make_lgpio() {
  local into=$arm/root/usr/lib/python3/dist-packages at=$arm/tools/lgpio
  "$top/.venv/bin/python" -m pip install -q --target "$into" --no-deps gpiozero colorzero
  "$top/.venv/bin/python" -m pip download -q --no-deps --no-binary :all: -d "$arm" lgpio
  mkdir -p "$at"
  tar -xzf "$arm"/lgpio-*.tar.gz -C "$at" --strip-components=1
  chroot "$arm/tools" /bin/sh -c 'cd /lgpio && swig -python lgpio.i && aarch64-linux-gnu-gcc-14 -w -O2 -shared -fPIC -pthread \
    -Isrc -I/usr/include/python3.13 -I/usr/include lgpio_wrap.c src/lg*.c src/rgpiod.c -o _lgpio.so' >>"$arm/log" 2>&1 ||
    { tail -20 "$arm/log"; exit 1; }
  cat "$at/lgpio.py" >"$into/lgpio.py"
  cp "$at/_lgpio.so" "$into"
}

# What emulates a computer with a Pi's processor: qemu 10, among its own libraries.
emulated=(env "QEMU_MODULE_DIR=$arm/tools/usr/lib/x86_64-linux-gnu/qemu" "$arm/tools/usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2" --library-path "$arm/tools/usr/lib/x86_64-linux-gnu"
  "$arm/tools/usr/bin/qemu-system-aarch64" -L "$arm/tools/usr/share/qemu")

# The program as it is now, in the root.
furnish_arm() {
  rm -rf "$arm/root"/{src,opt/companion}
  mkdir -p "$arm/root"/{src,proc,sys,dev,tmp,run,root,kept}
  # Installed, for games are found by what the installation says of them.
  "$top/.venv/bin/python" -m pip install -q --target "$arm/root/opt/companion" --no-deps --no-build-isolation "$top"
  (cd "$top" && git ls-files -z tests/__init__.py tests/deploy | tar -c --null -T -) | tar -x -C "$arm/root/src"
  (cd "$top" && .venv/bin/python -m tests.deploy.virtual_pi.begin "$arm/root/kept/begin")
  install -m 755 "$virtual/init-arm" "$arm/root/init"
}

# The root without what a table that prints nothing never reads, as the first files of a computer that has no disk.
make_files() {
  (
    cd "$arm/root"
    find . \( -path ./boot -o -path './usr/lib/linux-image-*' -o -path ./usr/share -o -path ./usr/lib/systemd -o -path ./usr/lib/udev -o -path \
      ./opt/python/pip -o -path ./opt/python/setuptools -o -path ./opt/python/fontTools -o -path ./kept/begin/shown -o -path \
      './usr/lib/modules/*/kernel/*' -type f -o -name tests -path './opt/*' \) -prune -o -print
    modules_of i2c-dev i2c-bcm2835 | sed 's#^/lib#./usr/lib#'
  ) | (cd "$arm/root" && cpio -o -H newc --quiet) | zstd -q -1 -f -o "$arm/files"
}

# The root as a disk, a place for what does not fit into the memory, and the first files of a computer that has them.
make_disks() {
  local first path
  rm -f "$arm"/{disk,swap}
  rm -rf "$arm"/root/usr/share/{doc,locale}
  ln -sfn /init "$arm/root/sbin/init"
  mke2fs -q -t ext4 -d "$arm/root" "$arm/disk" 1G
  truncate -s 200M "$arm/swap"
  mkswap -q "$arm/swap"
  first=$(mktemp -d)
  mkdir -p "$first"/{bin,proc,sys,dev,modules}
  cp "$arm/root/bin/busybox" "$first/bin"
  for path in sh cat mount insmod mkdir switch_root; do ln -s busybox "$first/bin/$path"; done
  modules_of virtio_pci virtio_mmio virtio_blk ext4 | while read -r path; do
    xz -dc "$arm/root$path" >"$first/modules/$(basename "$path" .xz)"
    basename "$path" .xz >>"$first/modules/order"
  done
  install -m 755 "$virtual/init-disk" "$first/init"
  (cd "$first" && find . | cpio -o -H newc --quiet) | gzip >"$arm/first.gz"
  rm -rf "$first"
}

# The modules that a computer needs to see its disk or its devices, in the order in which they can be loaded.
modules_of() {
  local module
  for module in "$@"; do
    modprobe -d "$arm/root" -S "$version" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
  done | awk '!seen[$0]++' | sed "s#^$arm/root##"
}
