#!/usr/bin/env bash
# Builds the image of all processes: deploy/build-image.sh [tag]
# BUILD_IMAGE and RUNTIME_IMAGE name other base images than the Dockerfile's.
set -euo pipefail
cd "$(dirname "$0")/.."

tag=${1:-partner-onboarding:local}
arguments=(--build-arg "VERSION=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' package.json)"
  --build-arg "REVISION=$(git rev-parse HEAD 2>/dev/null || echo unknown)")

[ -n "${BUILD_IMAGE:-}" ] && arguments+=(--build-arg "BUILD_IMAGE=$BUILD_IMAGE")
[ -n "${RUNTIME_IMAGE:-}" ] && arguments+=(--build-arg "RUNTIME_IMAGE=$RUNTIME_IMAGE")

# The file that says what belongs into the image is read by BuildKit only.
DOCKER_BUILDKIT=1 docker build --network host --file deploy/Dockerfile --tag "$tag" "${arguments[@]}" .
docker image inspect --format '{{.Id}} {{.Size}}' "$tag"
