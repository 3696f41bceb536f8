#!/usr/bin/env bash
# Builds the image of all processes: deploy/build-image.sh [tag]
#
#   PBO_BASE=debootstrap   makes the base images on this machine from Debian's packages and the project's own Node,
#                          for places without an image registry; otherwise BUILD_IMAGE and RUNTIME_IMAGE, or the
#                          Dockerfile's defaults, are used.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=${1:-partner-onboarding:local}
arguments=(--build-arg "VERSION=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)"
  --build-arg "REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)")

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

if [ "${PBO_BASE:-}" = debootstrap ]; then
  docker image inspect partner-onboarding-build-base:local >/dev/null 2>&1 || make_bases
  BUILD_IMAGE=partner-onboarding-build-base:local
  RUNTIME_IMAGE=partner-onboarding-runtime-base:local
fi
[ -n "${BUILD_IMAGE:-}" ] && arguments+=(--build-arg "BUILD_IMAGE=$BUILD_IMAGE")
[ -n "${RUNTIME_IMAGE:-}" ] && arguments+=(--build-arg "RUNTIME_IMAGE=$RUNTIME_IMAGE")

# The file that says what belongs into the image is read by BuildKit only.
DOCKER_BUILDKIT=1 docker build --network host --file deploy/Dockerfile --tag "$tag" "${arguments[@]}" .
docker image inspect --format '{{.Id}} {{.Size}}' "$tag"
