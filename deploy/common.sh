# shellcheck shell=bash
# Shared by deploy/demo and deploy/test: what both need before they can start. Sourced, not run.
set -euo pipefail
top=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$top"

# The Debian packages among "$@" that are not installed.
missing_packages() {
  local name
  for name in "$@"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q 'ok installed' || printf '%s ' "$name"
  done
}

# Install Debian packages if we may; else print the one line that does it. The program runs without the optional ones.
need_packages() {
  command -v dpkg-query >/dev/null || return 0
  local missing
  missing=$(missing_packages "$@")
  [ -z "$missing" ] && return 0
  local root=""
  if [ "$(id -u)" != 0 ]; then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      root=sudo
    else
      echo "Please run this once, then try again:"
      echo "  sudo apt-get install --yes $missing"
      # shellcheck disable=SC2086
      [ -n "$(missing_packages $required)" ] && exit 1
      return 0
    fi
  fi
  echo "Installing Debian packages: $missing"
  $root apt-get update -qq
  # shellcheck disable=SC2086
  $root env DEBIAN_FRONTEND=noninteractive apt-get install --yes -qq --no-install-recommends $missing >/dev/null
}

# The newest Python that fits, 3.11 or later.
find_python() {
  local name
  for name in ${PYTHON:-} python3.14 python3.13 python3.12 python3.11 python3; do
    if "$name" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  echo "Companion needs Python 3.11 or later with venv." >&2
  exit 1
}

# Make .venv with exactly the packages of a lock file ($1); done again only when the lock or the Python changed. The
# tests' packages include all that the program needs, so what deploy/test made serves deploy/demo too. Whoever starts
# while another makes it waits until that one has.
make_venv() {
  local lock=$1 python stamp
  python=$(find_python)
  stamp="$lock $("$python" --version) $(cat requirements*.lock pyproject.toml | sha256sum)"
  (
    ! command -v flock >/dev/null || flock 9
    if ! grep -qsF "${stamp#requirements*.lock }" .venv/stamp || ! grep -qsE "^($lock|requirements-dev.lock) " .venv/stamp; then
      echo "Setting up .venv ($("$python" --version))"
      "$python" -m venv --clear .venv
      # Most modules are never imported: whoever imports one first compiles it, in a quarter of the time for all.
      .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --require-hashes -r "$lock"
      .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
      echo "$stamp" >.venv/stamp
    fi
  ) 9<pyproject.toml
}
