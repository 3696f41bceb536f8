# Sourced by try-image.sh and try-compose.sh: where no Docker engine answers, and as root with dockerd installed (apt-get
# install docker.io debootstrap), one of our own below a temporary folder, which ends with the script.
#
#   own_engine               can fetch from the network; changes no network settings of this machine
#   own_engine_by_itself     the same one, started anew in a network of its own, which only has what containers publish
#   in_its_network <command>
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
