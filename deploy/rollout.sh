#!/usr/bin/env bash
# Brings a release into the cluster that kubectl points at, for the first time or over the one before:
#   deploy/rollout.sh deploy/k8s/overlays/production
# Steps run in sequence. The first failure stops the rollout and prints events and logs. A pod that has not started after
# three minutes lacks an image, a Secret, a volume or room on a node.
set -euo pipefail
overlay=${1:?the overlay, such as deploy/k8s/overlays/production}
begin_within=${BEGIN_WITHIN_SECONDS:-180}
cd "$(dirname "$0")/.."

in_ours() { kubectl --namespace partner-onboarding "$@"; }
step() { printf '\n== %s\n' "$*"; }

# Prints the latest warnings of Kubernetes and the log of the pod.
fail() {
  local space=$1 what=$2
  {
    kubectl --namespace "$space" get events --field-selector type=Warning --sort-by .lastTimestamp | tail -8
    kubectl --namespace "$space" logs "$what" --all-containers --tail=20
  } >&2 || true
  printf '%s\n' "$3" >&2
  exit 1
}

step "the installation's values"
[ "$(basename "$overlay")" = dev ] || deploy/run-node deploy/cluster/main.ts "$overlay"

step "everything but the processes"
in_ours delete job migrate --ignore-not-found
kubectl apply --kustomize "$overlay" --selector 'app.kubernetes.io/component!=process'
kubectl --namespace nats rollout status statefulset/nats --timeout=5m ||
  fail nats statefulset/nats "NATS did not start. Nothing else was changed."

step "migrations: databases and streams"
has_begun() {
  in_ours get pods --selector job-name=migrate --output 'jsonpath={.items[*].status.containerStatuses[*].state}' |
    grep -q -e running -e terminated -e CrashLoopBackOff
}
latest=$((SECONDS + begin_within))
until [ "${state:-}" = Complete ]; do
  state=$(in_ours get job migrate --output 'jsonpath={.status.conditions[?(@.status=="True")].type}')
  case " $state " in
    *" Complete "*) state=Complete ;;
    *" Failed "*)
      fail partner-onboarding job/migrate "The migration failed. The previous release keeps running. Fix the cause and run this again."
      ;;
    *)
      [ "$SECONDS" -lt "$latest" ] || has_begun ||
        fail partner-onboarding job/migrate "The migration did not start. The previous release keeps running. Fix the cause and run this again."
      sleep 2
      ;;
  esac
done

step "the services, then the gateway, one pod at a time"
for name in auth-token profile document webhook-registry delivery gateway; do
  kubectl apply --kustomize "$overlay" --selector "app.kubernetes.io/component=process,app.kubernetes.io/name=$name"
  in_ours rollout status "deployment/$name" --timeout=10m ||
    fail partner-onboarding "deployment/$name" \
      "$name did not start. To go back: kubectl --namespace partner-onboarding rollout undo deployment/$name"
done
