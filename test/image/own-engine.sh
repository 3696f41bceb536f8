# Sourced by try-image.sh and try-compose.sh: where no Docker engine answers, and as root with dockerd installed (apt-get
# install docker.io debootstrap), one of our own below a temporary folder, which ends with the script.
#
#   own_engine               can fetch from the network; changes no network settings of this machine
#   own_engine_by_itself     the same one, started anew in a network of its own, which only has what containers publish
#   in_its_network <command>
#   own_bases                with PBO_BASE=debootstrap: base images made on this machine, without an image registry
in_its_network() { "$@"; }

own_engine() {
  docker version >/dev/null 2>&1 && return
  command -v dockerd >/dev/null || { echo "No Docker engine answers, and none is installed." >&2; exit 1; }
  own=$(mktemp -d)
  export DOCKER_HOST=unix://$own/docker.sock
  trap 'stop_own_engine; rm -rf "$own" || true' EXIT
  start_own_engine dockerd --bridge=none --iptables=false --ip6tables=false
}

own_engine_by_itself() {
  [ -n "${own:-}" ] || return 0
  stop_own_engine
  # shellcheck disable=SC2016
  start_own_engine unshare --net sh -c 'ip link set lo up && exec dockerd "$@"' dockerd
  in_its_network() { nsenter --net="/proc/$engine/ns/net" "$@"; }
}

start_own_engine() {
  "$@" --data-root "$own/data" --exec-root "$own/exec" --pidfile "$own/pid" --host "$DOCKER_HOST" >"$own/log" 2>&1 &
  engine=$!
  for _ in $(seq 60); do docker version >/dev/null 2>&1 && return; sleep 1; done
  tail -5 "$own/log" >&2
  exit 1
}

stop_own_engine() {
  kill "$engine" && wait "$engine" || true
  umount "$own"/exec/netns/* 2>/dev/null || true
}

# A minimal Debian with the Node of node_modules; the second image has npm too, and the CAs of this machine.
make_bases() {
  local root node npm
  root=$(mktemp -d)
  node=$(deploy/run-node --print process.execPath)
  npm=$(readlink -f "$(dirname "$(readlink -f "$(command -v npm)")")/..")
  debootstrap --variant=minbase bookworm "$root" >/dev/null
  rm -rf "$root"/var/cache/apt/* "$root"/var/lib/apt/lists/* "$root"/usr/share/{doc,man,locale}
  install -D -m 755 "$node" "$root/usr/local/bin/node"
  tar -C "$root" -c . | docker import - partner-onboarding-runtime-base:local >/dev/null
  mkdir -p "$root/usr/local/lib/node_modules" "$root/etc/ssl/certs"
  cp -r "$npm" "$root/usr/local/lib/node_modules/npm"
  ln -sf ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  tar -C "$root" -c . | docker import \
    --change "ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt" - partner-onboarding-build-base:local >/dev/null
  rm -rf "$root"
}

own_bases() {
  [ "${PBO_BASE:-}" = debootstrap ] || return 0
  docker image inspect partner-onboarding-build-base:local >/dev/null 2>&1 || make_bases
  export BUILD_IMAGE=partner-onboarding-build-base:local RUNTIME_IMAGE=partner-onboarding-runtime-base:local
}
