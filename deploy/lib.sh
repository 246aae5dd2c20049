# Shared by the scripts of this folder: messages, and installing what a machine lacks.
# shellcheck shell=bash

step() { printf '\n\033[1m==> %s\033[0m\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

# need_packages PACKAGE...: installs Debian packages that are missing, or says which ones are.
need_packages() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  if [ "$(id -u)" -ne 0 ]; then
    fail "missing Debian packages; install them with: sudo apt-get install -y ${missing[*]}"
  fi
  step "Installing ${missing[*]}"
  apt-get update -q
  DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}

# need_command COMMAND HINT: stops with the hint when the command is not there.
need_command() { command -v "$1" >/dev/null 2>&1 || fail "\`$1\` is missing: $2"; }

need_rust() { need_command cargo "install Rust 1.95 or later with rustup"; }

need_node() {
  need_command node "install Node.js 20.19 or later"
  need_command npm "it comes with Node.js"
  node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' \
    || fail "Node.js $(node --version) is too old: 20.19 or later is needed"
}

# free_port: a TCP port on the loopback address that nobody uses now.
free_port() { node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'; }

# wait_for_url URL SECONDS PID: until the server answers, or it died, or the time is over.
wait_for_url() {
  local url=$1 seconds=$2 pid=$3 end
  end=$((SECONDS + seconds))
  until curl -fsS -o /dev/null --max-time 2 "$url" 2>/dev/null; do
    kill -0 "$pid" 2>/dev/null || return 1
    [ "$SECONDS" -lt "$end" ] || return 1
    sleep 0.2
  done
}

# install_node_packages: what the lock file pins. `npm ci` refuses a lock without an optional package
# that a registry does not serve for this platform; `npm install` takes the same pins and skips it.
install_node_packages() {
  npm ci --no-audit --no-fund --loglevel=silent || npm install --no-save --no-audit --no-fund --loglevel=error
}

# oidc_provider FOLDER: installs a small OpenID Connect provider into the folder and prints its program.
oidc_provider() {
  local folder
  mkdir -p "$1"
  folder=$(cd "$1" && pwd)
  if [ ! -x "$folder/bin/oidc-provider-mock" ]; then
    python3 -m venv "$folder" >&2
    "$folder/bin/pip" install --quiet --disable-pip-version-check 'oidc-provider-mock==0.3.4' >&2
  fi
  printf '%s\n' "$folder/bin/oidc-provider-mock"
}
