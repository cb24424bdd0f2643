# shellcheck shell=bash
# What emulated computers start with: Debian's kernel, the modules of a Pi's header, first files. Sourced, not run; `top`
# is the checkout. Made once for each version of Debian's kernel, and kept in `guests` (COMPANION_VIRTUAL_PI).
guests=${COMPANION_VIRTUAL_PI:-/var/cache/companion-virtual-pi}
virtual=$top/tests/deploy/virtual_pi

skip() {
  echo "skipped: $*"
  exit 77
}

[ "$(id -u)" = 0 ] || skip "this needs root, to install packages and read all files"
[ "$(dpkg --print-architecture 2>/dev/null)" = amd64 ] || skip "this needs Debian on a PC's processor"
[ -x "$top/.venv/bin/python" ] || skip "there is no .venv in $top: run deploy/test first"

# Kernel, modules and lgpio; sets `version`, the kernel's.
make_kernel() {
  local packages=(qemu-system-x86 busybox-static cpio kmod linux-headers-amd64 gcc make xz-utils e2fsprogs) work made
  if ! dpkg-query -W "${packages[@]}" >/dev/null 2>&1; then
    echo "== Debian's packages"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends "${packages[@]}" >/dev/null
  fi
  version=$(dpkg-query -W -f '${Depends}' linux-headers-amd64 | sed 's/linux-headers-\([^ ]*\).*/\1/')
  made="$version $(cat "$virtual"/{buses.c,init,init-disk,kernel.sh} | sha256sum | cut -c-16)"
  if [ "$(cat "$guests/.ready" 2>/dev/null)" = "$made" ]; then return; fi
  echo "== the kernel $version and its modules"
  rm -rf "$guests"/{kernel,modules,python,.ready}
  mkdir -p "$guests"/{kernel,modules,python}
  work=$(mktemp -d)
  (
    cd "$work"
    apt-get download -qq "linux-image-$version" linux-source-6.1 v4l2loopback-dkms
    dpkg -x linux-image-*.deb "$guests/kernel"
    depmod -b "$guests/kernel" "$version"
    # Debian leaves gpio-sim and its interrupts out of its kernel.
    dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO ./usr/src/linux-source-6.1.tar.xz |
      tar -xJ --wildcards '*/drivers/gpio/gpio-sim.c' '*/drivers/gpio/gpiolib.h' '*/kernel/irq/irq_sim.c'
    cp linux-source-6.1/drivers/gpio/gpiolib.h "$virtual/buses.c" "$guests/modules"
    cp linux-source-6.1/drivers/gpio/gpio-sim.c "$guests/modules/gpio-sim-main.c"
    # What only the kernel itself may call, by what modules may.
    sed 's/irq_to_desc(\([^)]*\))/irq_data_to_desc(irq_get_irq_data(\1))/; /#include <linux\/irq_sim.h>/a #include <linux/irqdesc.h>' \
      linux-source-6.1/kernel/irq/irq_sim.c >"$guests/modules/irq_sim.c"
    dpkg-deb --fsys-tarfile v4l2loopback-dkms_*.deb | tar -x --wildcards './usr/src/*.[ch]'
    cp usr/src/v4l2loopback-*/*.[ch] "$guests/modules"
  )
  rm -rf "$work"
  printf 'obj-m := gpio-sim.o buses.o v4l2loopback.o\ngpio-sim-y := gpio-sim-main.o irq_sim.o\n' >"$guests/modules/Makefile"
  make -s -C "/usr/src/linux-headers-$version" M="$guests/modules" modules >"$guests/modules/log" 2>&1 ||
    { tail -20 "$guests/modules/log"; exit 1; }
  "$top/.venv/bin/python" -m pip install -q --target "$guests/python" --no-deps lgpio gpiozero colorzero
  make_first_files first init virtio_pci 9p 9pnet_virtio overlay
  make_first_files disk init-disk virtio_pci virtio_blk ext4 crc32c_generic virtio_net virtio_console
  echo "$made" >"$guests/.ready"
}

# The kernel's modules, in the order in which they can be loaded.
in_order() {
  local module
  for module in "$@"; do
    modprobe -d "$guests/kernel" -S "$version" --show-depends "$module" | awk '$1 == "insmod" { print $2 }'
  done | awk '!seen[$0]++'
}

# The files that the kernel starts with ($1: how they are called, $2: their program): a shell, and what it needs to see
# where its other files are, some modules.
make_first_files() {
  local first program path
  first=$(mktemp -d)
  mkdir -p "$first"/{bin,proc,sys,dev,modules}
  cp /bin/busybox "$first/bin"
  for program in sh cat mount insmod mkdir sed switch_root; do ln -s busybox "$first/bin/$program"; done
  in_order "${@:3}" | while read -r path; do
    cp "$path" "$first/modules"
    basename "$path" >>"$first/modules/order"
  done
  # What it calls besides, with the libraries that it was linked with.
  if grep -q '^e2fsck' "$virtual/$2"; then
    program=$(command -v e2fsck)
    { echo "$program"; ldd "$program" | grep -o '/lib[^ ]*'; } | xargs cp --parents -L -t "$first"
    ln -s "$program" "$first/bin/e2fsck"
  fi
  cp "$virtual/$2" "$first/init"
  chmod +x "$first/init"
  (cd "$first" && find . | cpio -o -H newc --quiet) | gzip >"$guests/$1.gz"
  rm -rf "$first"
}
