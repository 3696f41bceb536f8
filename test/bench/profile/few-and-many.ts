/** A row for reads whose cost must not follow the size of the collection. */
import type { StoredProfile } from "../../../services/profile/record/profile.types.ts";
import { orderedId } from "../../../shared/ids.ts";
import { aPerson, aProfile } from "../../support/builders/profile-builders.ts";
import type { BenchEnv } from "../frame/env.ts";
import type { BenchSpec, Goal, Workload } from "../frame/spec.ts";
import { openProfilePath, type ProfilePath } from "./profile-path.ts";

type Load = (env: BenchEnv, filled: Filled) => Promise<Workload["run"]>;

type Row = {
  name: string;
  issue: number;
  concurrency: number;
  goals: readonly Goal[];
  customers: number;
  load: Load;
};

/** More than are answered; those that are left over are not sent. */
const DRAWN_PER_SECOND = 4_000;

/** By the partner's API client. Each request is drawn anew, so that no cache has the answer from the last one. */
export const drawnAnew =
  (pathOf: (filled: Filled) => string): Load =>
  async (env, filled) =>
    env.http({
      url: filled.url,
      once: true,
      requests: async ({ durationMs }) => {
        const headers = await filled.headers();
        const length = Math.ceil((DRAWN_PER_SECOND * durationMs) / 1_000);
        return Array.from({ length }, () => ({ method: "GET", path: pathOf(filled), headers }));
      },
    });

export const fewAndMany = ({ goals, customers, load, ...row }: Row): BenchSpec => ({
  ...row,
  async setup(env) {
    const few = await openFilled(env, `${env.namespace}a`, 1_000);
    const many = await openFilled(env, `${env.namespace}b`, customers);
    return {
      workload: {
        name: `with ${customers.toLocaleString("en-US")} customers`,
        run: await load(env, many),
      },
      floors: [
        {
          goals,
          name: "with 1,000 customers",
          fairBecause:
            "the same services and requests, each with a database of its own; only the number of customers differs",
          run: await load(env, few),
        },
      ],
    };
  },
});

const BATCH = 1_000;
const DAY_MS = 86_400_000;

export type Filled = ProfilePath & {
  /** Id of a customer by its age: 0 is the oldest, 1 the newest. */
  idAt(share: number): string;
  timeAt(share: number): string;
  referenceAt(share: number): string;
};

/** A database with customers of one partner, as if they had been created one after the other. */
async function openFilled(env: BenchEnv, namespace: string, count: number): Promise<Filled> {
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
    idAt: (share) => ids[numberAt(share)] ?? "",
    timeAt: (share) => new Date(firstAt + numberAt(share) * step).toISOString(),
    referenceAt: (share) => referenceOf(numberAt(share)),
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
