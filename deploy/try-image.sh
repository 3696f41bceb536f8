#!/usr/bin/env bash
# Shows that the image works: builds it and runs seven containers through a full journey on this machine's servers.
#
#   deploy/try-image.sh [tag]      with PBO_BASE=debootstrap where no image registry can be reached
#
# Without a Docker engine that answers, and as root with dockerd installed (apt-get install docker.io debootstrap), it
# starts one of its own below a temporary folder, without touching the network settings, and ends it again.
set -euo pipefail
cd "$(dirname "$0")/.."

if ! docker version >/dev/null 2>&1; then
  command -v dockerd >/dev/null || { echo "No Docker engine answers, and none is installed." >&2; exit 1; }
  own=$(mktemp -d)
  export DOCKER_HOST=unix://$own/docker.sock
  dockerd --data-root "$own/data" --exec-root "$own/exec" --pidfile "$own/pid" --host "$DOCKER_HOST" \
    --bridge=none --iptables=false --ip6tables=false >"$own/log" 2>&1 &
  engine=$!
  trap 'kill $engine; wait $engine || true; umount "$own"/exec/netns/* 2>/dev/null || true; rm -rf "$own" || true' EXIT
  for _ in $(seq 60); do docker version >/dev/null 2>&1 && break; sleep 1; done
fi

tag=${1:-partner-onboarding:local}
deploy/build-image.sh "$tag"
deploy/run-node test/image/main.ts "$tag"
