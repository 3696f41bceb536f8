#!/usr/bin/env bash
# Shows that the compose file works: up, a journey from the first account to a verified webhook, down. It uses ports 3000 and
# 8333 of this machine, and docker compose 2.24 or newer.
#
#   test/image/try-compose.sh   with PBO_BASE=debootstrap where no image registry can be reached: MongoDB and NATS are then
#                                  images made of this machine's programs, and in place of SeaweedFS stands the S3 server of
#                                  npm start, under the same name, port and keys
set -euo pipefail
cd "$(dirname "$0")/../.."
. test/image/own-engine.sh

export COMPOSE_FILE=$PWD/deploy/compose.yaml COMPOSE_PROFILES=receiver PBO_WEBHOOK_CA_FILE=/receiver/ca.pem
own_engine
own_bases
deploy/build-image.sh
[ "${PBO_BASE:-}" != debootstrap ] || eval "$(deploy/run-node test/image/stand-ins.ts)"
own_engine_by_itself

# The lines of the file's head that make its keys, as they stand there.
keys=$(mktemp -d)
cd "$keys"
eval "$(sed -n '/^#   for set in/,/^#   export PBO_GATEWAY_PUBLIC_KEYS/s/^#   //p' "$COMPOSE_FILE")"
cd - >/dev/null
rm -r "$keys"

in_its_network deploy/run-node test/image/compose.ts
