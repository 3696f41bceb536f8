/** Keys and revocations, polled every two seconds, so that no request needs a call to be authenticated. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { unavailable } from "../../shared/errors.ts";
import type { TrustState } from "../../shared/identity/trust-state.ts";
import type { GatekeeperDeps } from "./gatekeeper-deps.ts";

const POLL_MS = 2_000;
/** An older view could miss a revocation, so no token is accepted with it. */
const MAX_AGE_MS = 60_000;
/** An unknown key id asks immediately, but not more often than this. */
const EXTRA_ASK_MS = 500;

export type Trust = ReturnType<typeof createTrust>;

type View = ReturnType<typeof toView>;

type Deps = Pick<GatekeeperDeps, "call" | "logger" | "metrics">;

/** Ages come from the monotonic clock: a corrected system clock must not make a view look fresh. */
export function createTrust({ call, logger, metrics }: Deps) {
  let view: View | null = null;
  let asking: Promise<void> | null = null;
  let soon: Promise<void> | null = null;
  let askedAt = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  const ask = (): Promise<void> => {
    const at = performance.now();
    askedAt = at;
    asking ??= call<TrustState>("auth-token.trustState", {})
      .then((state) => {
        view = toView(state, at, view?.keys);
      })
      .catch((err) => logger.warn({ err }, "trust_state.not_refreshed"))
      .finally(() => {
        asking = null;
        metrics.set("pbo_trust_state_age_seconds", view ? (performance.now() - view.at) / 1_000 : -1);
      });
    return asking;
  };

  /** Immediately, or when the last question is old enough; all waiting callers share the answer. */
  const askSoon = (): Promise<void> => {
    const wait = askedAt + EXTRA_ASK_MS - performance.now();
    if (wait <= 0) return ask();
    soon ??= new Promise<void>((resolve) => setTimeout(resolve, wait)).then(ask).finally(() => {
      soon = null;
    });
    return soon;
  };

  const fresh = (): View => {
    if (!view || performance.now() - view.at > MAX_AGE_MS) throw unavailable("The token service");
    return view;
  };

  return {
    async start() {
      timer = setInterval(ask, POLL_MS);
      await ask();
    },
    stop: () => clearInterval(timer),
    /** The key of this id; asks again before it says that there is none. */
    async keyOf(kid: string): Promise<KeyObject | null> {
      if (!view?.keys.has(kid)) await askSoon();
      return fresh().keys.get(kid) ?? null;
    },
    /** Without asking. */
    knowsKey: (kid: string) => view?.keys.has(kid) ?? false,
    isCredentialRevoked: (credentialId: string) => fresh().revokedCredentials.has(credentialId),
    isCertificateRemoved: (certificateId: string) => fresh().removedCertificates.has(certificateId),
    isPartnerInactive: (partnerId: string) => fresh().inactivePartners.has(partnerId),
  };
}

function toView(state: TrustState, at: number, known: ReadonlyMap<string, KeyObject> = new Map()) {
  const keyOf = ({ kid, kty, crv, x }: TrustState["keys"][number]): KeyObject =>
    known.get(kid) ?? createPublicKey({ key: { kty, crv, x }, format: "jwk" });
  return {
    at,
    keys: new Map(state.keys.map((key) => [key.kid, keyOf(key)])),
    revokedCredentials: new Set(state.revokedCredentialIds),
    removedCertificates: new Set(state.removedCertificateIds),
    inactivePartners: new Set(state.inactivePartnerIds),
  };
}
