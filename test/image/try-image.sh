#!/usr/bin/env bash
# Shows that the image works: builds it and runs seven containers through a full journey on this machine's servers.
#
#   test/image/try-image.sh [tag]      with PBO_BASE=debootstrap where no image registry can be reached
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/image/own-engine.sh

tag=${1:-partner-onboarding:local}
own_engine
own_bases
deploy/build-image.sh "$tag"
deploy/run-node test/image/main.ts "$tag"
