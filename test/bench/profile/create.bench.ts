/** A full create over HTTP against the database alone writing the very same document. */
import { orderedId } from "../../../shared/ids.ts";
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import { UNIQUE } from "../frame/http-load.ts";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { openProfilePath, PROFILES } from "./profile-path.ts";

const FLOOR: FloorFacts = {
  name: "driver insertOne, majority and journaled",
  fairBecause:
    "the same document under the same write concern; no HTTP, no checks, no event, and a write each, where the service gathers those that come together",
  measure: "rate",
  atLeast: 0.8,
};

export const bench: BenchSpec = {
  name: "create a business with 3 people and 6 identities",
  issue: 4,
  hotPath: "rate",
  async setup(env) {
    const path = await openProfilePath(env);
    const document = await path.createOne(aProfile());
    const floor = path.connection.collection<typeof document>("floor");
    const body = aProfile({ partnerCustomerId: `bench-${UNIQUE}` });
    return {
      workload: {
        name: "create",
        run: env.http({
          url: path.url,
          requests: async () => [{ method: "POST", path: PROFILES, headers: await path.headers(), body }],
        }),
      },
      floors: [
        {
          ...FLOOR,
          run: (window) =>
            runInFlight(window, async () => {
              await floor.insertOne({
                ...document,
                _id: orderedId(Date.now()),
                partnerCustomerId: aReference(),
              });
            }),
        },
      ],
    };
  },
};
