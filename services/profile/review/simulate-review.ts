/** A review of a test partner's customer, decided on demand by the steps, states and events of a real one. */

import type { DocumentSummary } from "../../../shared/contract/answers/document.ts";
import type { Verification } from "../../../shared/contract/answers/verification.ts";
import { AppError } from "../../../shared/errors.ts";
import { type KeyedRequest, keyedRequest } from "../../../shared/idempotency.rules.ts";
import { orderedId } from "../../../shared/ids.ts";
import { changeProfile } from "../change/change-profile.ts";
import { NO_CHANGES } from "../change/change-requests.rules.ts";
import { customerCipher } from "../change/customer-key.ts";
import { finishUpdate, withState } from "../change/finish-update.rules.ts";
import { keptAnswer, once } from "../change/kept-answer.ts";
import { updatedFacts, verificationFacts } from "../change/profile-events.rules.ts";
import { applyDocuments } from "../change/profile-update.rules.ts";
import type { UpdateCall } from "../change/update-own.ts";
import type { Deps } from "../deps.ts";
import type { Warned } from "../input/violations.rules.ts";
import { findOwnProfile } from "../read/get-profile.ts";
import { verificationView } from "../read/profile.view.ts";
import { DuplicateKey } from "../record/profile.repository.ts";
import type { Profile } from "../record/profile.types.ts";
import { transition } from "../record/verification.rules.ts";
import { decided, refused, withRequests } from "./review-case.ts";
import { readSimulation, type Simulation } from "./simulate-input.rules.ts";

type SimulateCall = Omit<UpdateCall, "ifMatch"> & { idempotencyKey: string | null };

export function simulateReview(deps: Deps, call: SimulateCall): Promise<Warned<Verification>> {
  const { partnerId, customerId, idempotencyKey } = call;
  const keyed = keyedRequest(idempotencyKey, "simulate", customerId, call.body);
  const work = () => simulate(deps, call, keyed);
  return once(deps, { partnerId, keyed, work, isLookedUpFirst: true });
}

function simulate(deps: Deps, call: SimulateCall, keyed: KeyedRequest | null): Promise<Warned<Verification>> {
  return changeProfile(deps, {
    customerId: call.customerId,
    origin: call.origin,
    read: () => findOwnProfile(deps, call.partnerId, call.customerId),
    decide(profile, at) {
      if (keyed && profile.keptAnswers?.some(({ key }) => key === keyed.key)) throw new DuplicateKey();
      if (!profile.isTest) throw sandboxRequired();
      const { simulation, warnings } = readSimulation(call.body, profile, call.isStrict);
      const next = simulated(deps, profile, simulation, at);
      const answer = { value: verificationView(next.after), warnings };
      const kept = keyed && keptAnswer(customerCipher(deps.cipher, profile), profile._id, keyed, answer, at);
      return {
        ...next,
        kept,
        action: "simulate",
        detail: { outcome: simulation.outcome },
        answer: () => answer,
      };
    },
  });
}

/** A single version and write: the files first, then the decision. */
export function simulated(deps: Pick<Deps, "clock">, profile: Profile, simulation: Simulation, at: string) {
  const files = simulation.documents.map(
    (file): DocumentSummary => ({
      ...file,
      documentId: orderedId(deps.clock.now()),
      contentType: "application/pdf",
      sizeBytes: 1,
      uploadedAt: at,
      confirmedAt: file.status === "Confirmed" ? at : null,
    }),
  );
  const newIds = files.map(({ documentId }) => documentId);
  const simulatedDocumentIds = [...(profile.simulatedDocumentIds ?? []), ...newIds];
  const next = files.length === 0 ? profile : { ...profile, simulatedDocumentIds };
  const update = applyDocuments({ next, changes: NO_CHANGES }, files);
  const withFiles = finishUpdate(profile, update, "document", at) ?? profile;
  const fileFacts = updatedFacts(profile, withFiles, update.changes, files);
  if (simulation.outcome === null) return { after: withFiles, facts: fileFacts };
  const after = {
    ...reviewed(deps, withFiles, simulation, at),
    version: profile.version + 1,
    updatedAt: at,
  };
  return { after, facts: [...fileFacts, ...verificationFacts(withFiles, after)] };
}

/** As if an analyst had claimed the case and taken the step. */
function reviewed(
  { clock }: Pick<Deps, "clock">,
  profile: Profile,
  { outcome, reasons, requested }: Simulation,
  at: string,
): Profile {
  const claimed = transition(profile, "claim");
  if ("refusal" in claimed) throw refused(claimed.refusal, profile);
  const kind = outcome === "Approved" ? "approve" : outcome === "Rejected" ? "reject" : "requestChanges";
  const step = transition(claimed.next, kind);
  if ("refusal" in step) throw refused(step.refusal, profile);
  const after =
    outcome === "ChangesRequested"
      ? withRequests(profile, requested, at, () => orderedId(clock.now()))
      : decided(
          profile,
          outcome === "Approved" ? { outcome, reasons: [] } : { outcome: "Rejected", reasons },
          at,
        );
  return withState(after, step.next, at);
}

const sandboxRequired = () =>
  new AppError(
    "Sandbox.Required",
    "Only the client of a test partner can simulate a review; this customer is live.",
  );
