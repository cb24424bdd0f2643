# shellcheck shell=bash
# Guests: a root that is booted in a container of systemd-nspawn, and what is asked of it. Sourced after roots.sh.
command -v systemd-nspawn >/dev/null || skip "systemd-container is not installed"

# Run a command in the running guest.
guest() {
  nsenter --target "$leader" --mount --uts --ipc --net --pid --cgroup --root --wd -- \
    env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
    ${PIP_CERT:+"PIP_CERT=$PIP_CERT"} ${PIP_INDEX_URL:+"PIP_INDEX_URL=$PIP_INDEX_URL"} "$@"
}

# Wait until a command works, for so many seconds.
until_works() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || { echo "in vain: $*"; guest journalctl --no-pager -u "${unit:-companion}" -n 40; return 1; }
    sleep 1
  done
}

running() { guest systemctl is-system-running 2>/dev/null | grep -q -E 'running|degraded'; }

# Boot the guest, with words for its "kernel".
boot() {
  SYSTEMD_NSPAWN_UNIFIED_HIERARCHY=1 exec systemd-nspawn --quiet --register=no --keep-unit --resolv-conf=off \
    --directory="$root" --machine=table-3 --boot "$@" >"$work/console" 2>&1 </dev/null
}

# Start the guest; its process 1 is what we talk to.
launch() {
  boot &
  nspawn=$!
  local end=$((SECONDS + 60))
  until leader=$(pgrep -P $nspawn -f '(systemd|init)' | head -1) && [ -n "$leader" ]; do
    [ $SECONDS -lt $end ] || { cat "$work/console"; return 1; }
    sleep 0.5
  done
}

# Start the guest, and wait until all of it has.
start() {
  launch
  until_works 120 running
}
export -f guest until_works running boot launch start
