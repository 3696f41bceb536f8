#!/usr/bin/env bash
# Brings a release into the cluster that kubectl points at, for the first time or over the one before:
#   deploy/rollout.sh deploy/k8s/overlays/production
# What comes later waits for what came before; the first thing that fails ends it, and says where to look.
set -euo pipefail
overlay=${1:?the overlay, such as deploy/k8s/overlays/production}
cd "$(dirname "$0")/.."

in_ours() { kubectl --namespace partner-onboarding "$@"; }
step() { printf '\n== %s\n' "$*"; }

step "the installation's values"
[ "$(basename "$overlay")" = dev ] || deploy/run-node deploy/cluster/main.ts "$overlay"

step "everything but the processes"
in_ours delete job migrate --ignore-not-found
kubectl apply --kustomize "$overlay" --selector 'app.kubernetes.io/component!=process'
kubectl --namespace nats rollout status statefulset/nats --timeout=5m

step "migrations: databases and streams"
until [ "${state:-}" = Complete ]; do
  state=$(in_ours get job migrate --output 'jsonpath={.status.conditions[?(@.status=="True")].type}')
  case " $state " in
    *" Complete "*) state=Complete ;;
    *" Failed "*)
      in_ours logs job/migrate --all-containers --tail=20 >&2
      echo "The migration failed; the release before goes on. Mend the cause and run this again." >&2
      exit 1
      ;;
    *) sleep 2 ;;
  esac
done

step "the services, then the gateway, one pod at a time"
for name in auth-token profile document webhook-registry delivery gateway; do
  kubectl apply --kustomize "$overlay" --selector "app.kubernetes.io/component=process,app.kubernetes.io/name=$name"
  in_ours rollout status "deployment/$name" --timeout=10m || {
    in_ours logs "deployment/$name" --tail=20 >&2
    echo "$name did not come up. Back: kubectl --namespace partner-onboarding rollout undo deployment/$name" >&2
    exit 1
  }
done
