/** Fills a database with customers of one partner, as if they had been created one after the other. */
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { orderedId } from "../../../shared/ids.ts";
import { aPerson, aProfile } from "../../support/builders/profile-builders.ts";
import type { BenchEnv } from "../frame/env.ts";
import { openProfilePath, type ProfilePath } from "./profile-path.ts";

const BATCH = 1_000;
const DAY_MS = 86_400_000;

export type Filled = ProfilePath & {
  /** Of the customer so far from the oldest to the newest. */
  idAt(share: number): string;
  timeAt(share: number): string;
  reference(index: number): string;
  count: number;
};

export async function openFilled(env: BenchEnv, namespace: string, count: number): Promise<Filled> {
  const path = await openProfilePath(env, namespace);
  const template = await path.createOne(aProfile({ businessPersonList: [aPerson()] }));
  await path.profiles.deleteMany({});
  const firstAt = Date.now() - 30 * DAY_MS;
  const step = Math.floor((29 * DAY_MS) / count);
  const ids: string[] = [];
  for (let from = 0; from < count; from += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, count - from) }, (_, index) =>
      copyOf(template, from + index, firstAt + (from + index) * step),
    );
    ids.push(...batch.map(({ _id }) => _id));
    await path.profiles.insertMany(batch, { ordered: false, writeConcern: { w: 1, journal: false } });
  }
  const numberAt = (share: number) => Math.min(count - 1, Math.floor(count * share));
  return {
    ...path,
    count,
    idAt: (share) => ids[numberAt(share)] ?? "",
    timeAt: (share) => new Date(firstAt + numberAt(share) * step).toISOString(),
    reference: (index) => referenceOf(index % count),
  };
}

/** Most are decided, some wait for an analyst or for the partner. */
function stateOf(index: number): Pick<StoredProfile, "verificationStatus" | "reviewStage"> {
  if (index % 10 > 3) return { verificationStatus: "Approved", reviewStage: "Closed" };
  if (index % 10 === 3) return { verificationStatus: "ChangesRequested", reviewStage: "AwaitingPartner" };
  return { verificationStatus: "PendingVerification", reviewStage: "Queued" };
}

const referenceOf = (index: number): string => `seed-${index}`;

function copyOf(template: StoredProfile, index: number, time: number): StoredProfile {
  const at = new Date(time).toISOString();
  return {
    ...template,
    ...stateOf(index),
    _id: orderedId(time),
    partnerCustomerId: referenceOf(index),
    companyName: `Company ${index}`,
    companyNameKey: `company ${index}`,
    registrationNumber: `R${index}`,
    outbox: [],
    createdAt: at,
    updatedAt: at,
    submittedAt: at,
  };
}
