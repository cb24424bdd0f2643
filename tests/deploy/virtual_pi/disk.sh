# shellcheck shell=bash
# Disks that emulated computers start from: a Debian in which deploy/install has installed the service. Sourced after
# roots.sh and kernel.sh, not run. What is kept is made anew when anything that it is made of has changed.

# What a disk is made of, in short; the files that it needs besides are given.
ingredients() {
  (
    cd "$top"
    git ls-files -z companion card_codes web firmware_config deploy pyproject.toml requirements.lock tests/deploy/virtual_pi/in_box \
      tests/deploy/virtual_pi/disk.sh tests/deploy/virtual_pi/kernel.sh "$@" | xargs -0 sha256sum
    echo "$version"
  ) | sha256sum | cut -c-16
}

# Install Debian's packages into the root.
debian() {
  DEBIAN_FRONTEND=noninteractive inside apt-get install -qq --yes --no-install-recommends "$@" >"$work/apt" 2>&1 || { tail -20 "$work/apt"; return 1; }
}

# What a Pi's own Python has of gpiozero and lgpio: PyPI has no lgpio for every Python, so it is built, in another root.
make_wheels() {
  say "gpiozero and lgpio, for this Debian's Python"
  debian python3-dev python3-venv swig gcc libc6-dev
  inside python3 -m venv /root/venv
  # With its library inside (lgpio's own setup.py asks for PYPI).
  inside env PYPI=1 /root/venv/bin/python -m pip wheel -q --disable-pip-version-check --no-deps -w /root/wheels lgpio gpiozero colorzero
  mkdir -p "$wheels.part"
  cp "$root"/root/wheels/*.whl "$wheels.part"
  mv "$wheels.part" "$wheels"
}

# What a minimal root has not, and every Pi's system has.
before_installing() {
  say "Debian's packages that a minimal root has not"
  debian udev kmod dbus e2fsprogs
  # As Raspberry Pi OS has it.
  printf '%s\n' 'SUBSYSTEM=="i2c-dev", GROUP="i2c", MODE="0660"' 'SUBSYSTEM=="spidev", GROUP="spi", MODE="0660"' \
    'SUBSYSTEM=="gpio", GROUP="gpio", MODE="0660"' >"$root/etc/udev/rules.d/99-com.rules"
}

# What the emulated computer has in place of a Pi: these modules, ours, the header's two programs, units of the test's.
after_installing() {
  say "what the emulated computer has in place of a Pi"
  mkdir "$root/root/wheels"
  cp "$wheels"/*.whl "$root/root/wheels"
  inside sh -c '/opt/companion/current/bin/python -m pip install -q --disable-pip-version-check --no-index --target /usr/lib/python3/dist-packages --no-deps /root/wheels/*.whl'
  local path at=$root/lib/modules/$version box=$root/opt/virtual-pi
  mkdir -p "$at/extra" "$box"
  in_order "$@" | while read -r path; do
    install -D -m 644 "$path" "$at/${path#*"/modules/$version/"}"
  done
  cp "$guests"/modules/{gpio-sim,buses}.ko "$at/extra"
  cp "$guests/kernel/lib/modules/$version"/modules.{builtin,builtin.modinfo,order} "$at"
  depmod -b "$root" "$version"
  cp "$top"/tests/deploy/virtual_pi/in_box/* /bin/busybox "$box"
  chmod 755 "$box"/*
  furnish_box
}

# A unit of the test's own: its name, then its lines.
unit() {
  printf '%s\n' "${@:2}" >"$root/etc/systemd/system/$1"
}

# Units of the test's own, and what a Pi is recognised by.
furnish_box() {
  printf '/dev/vda / ext4 defaults,noatime 0 1\n' >"$root/etc/fstab"
  : >"$root/etc/machine-id"
  # Which devices it has, a Pi knows; the processor's revision is what gpiozero asks.
  printf 'Hardware\t: BCM2835\nRevision\t: c03114\nModel\t\t: Raspberry Pi 4 Model B Rev 1.4\n' >"$root/opt/virtual-pi/cpuinfo"
  printf 'COMPANION_DEVICES=real\nCOMPANION_PINS=child\nGPIOZERO_PIN_FACTORY=lgpio\n' >>"$root/etc/companion/companion.env"
  mkdir -p "$root/etc/systemd/system/companion.service.d"
  unit companion.service.d/virtual-pi.conf '[Service]' 'BindReadOnlyPaths=/opt/virtual-pi/cpuinfo:/proc/cpuinfo'
  unit virtual-pi-checks.service '[Unit]' 'Description=Does what the checks outside ask' DefaultDependencies=no \
    'After=systemd-remount-fs.service systemd-udevd.service' '' \
    '[Service]' 'ExecStartPre=-/opt/virtual-pi/busybox ip link set lo up' 'ExecStart=/usr/bin/python3 -B /opt/virtual-pi/agent.py' \
    OOMScoreAdjust=-900 '' '[Install]' WantedBy=sysinit.target
  unit virtual-pi-header.service '[Unit]' "Description=The devices of a Pi's header, late" After=companion.service '' \
    '[Service]' Type=oneshot RemainAfterExit=yes ExecStart=/opt/virtual-pi/header '' '[Install]' WantedBy=multi-user.target
  inside systemctl enable --quiet virtual-pi-checks.service
  # Neither is of the box, and each costs an emulated processor minutes.
  inside systemctl mask --quiet apt-daily.timer apt-daily-upgrade.timer systemd-pcrphase.service getty@tty1.service e2scrub_reap.service
}

# Make the disk of the root.
write_disk() {
  rm "$root/usr/sbin/policy-rc.d"
  umount -R "$root/dev" "$root/tmp" "$root/run" "$root/proc"
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/*
  say "the disk"
  rm -f "$disk"
  # As on a Pi's card; its size is a small one's.
  mke2fs -q -t ext4 -L rootfs -d "$root" "$disk.part" 3G
  mv "$disk.part" "$disk"
}

# Have a disk of suite $1 by the name $2; make_disk makes it, a function of the script $3, if there is none. Sets `disk`.
have_disk() {
  local began=$SECONDS
  disk=$guests/$2-$1-$(ingredients "tests/deploy/$3").ext4
  wheels=$guests/wheels-$1
  export disk wheels guests version
  [ ! -e "$disk" ] || return 0
  rm -f "$guests/$2-$1-"*
  export -f make_wheels make_disk debian before_installing after_installing unit furnish_box write_disk in_order
  [ -d "$wheels" ] || on_root "$1-$here" make_wheels
  on_root "$1-$here" make_disk
  echo "== the disk was made in $((SECONDS - began)) s"
}
