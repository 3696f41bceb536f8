/** A read by id against the least that goes the same way: moleculer-web, NATS, a bare findOne. */
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { aProfile } from "../../support/builders/profile-builders.ts";
import { answers200, benchFile } from "../frame/env.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { openProfilePath, PROFILES } from "./profile-path.ts";

const FLOOR: FloorFacts = {
  name: "minimal moleculer-web, NATS, bare findOne",
  fairBecause:
    "the same documents by the same hops and read concern; no token, no view of the answer, and a message each, where the gateway sends those that come together in one",
  goals: [{ measure: "rate", atLeast: 1.2 }],
};
const CUSTOMERS = 100;

export const bench: BenchSpec = {
  name: "read a business by id",
  issue: 4,
  hotPath: "rate",
  async setup(env) {
    const path = await openProfilePath(env);
    const stored = await Promise.all(Array.from({ length: CUSTOMERS }, () => path.createOne(aProfile())));
    const ids = stored.map(({ _id }) => _id);

    const port = await env.freePort();
    const floorUrl = `http://127.0.0.1:${port}`;
    const network = [env.servers.natsUrl, `${env.namespace}floor`];
    const database = [env.servers.mongodbUri, databaseName(env.namespace, "profile")];
    await env.startScript(
      benchFile("floors/find-one-service.ts"),
      [...network, ...database],
      async () => true,
    );
    await env.startScript(
      benchFile("floors/minimal-gateway.ts"),
      [...network, String(port), "GET /profiles/:id", "floor.get"],
      () => answers200(`${floorUrl}/profiles/${ids[0]}`),
    );
    return {
      workload: {
        name: "read",
        run: env.http({
          url: path.url,
          requests: async () => {
            const headers = await path.headers();
            return ids.map((id) => ({ method: "GET", path: `${PROFILES}/${id}`, headers }));
          },
        }),
      },
      floors: [
        {
          ...FLOOR,
          run: env.http({
            url: floorUrl,
            requests: ids.map((id) => ({ method: "GET", path: `/profiles/${id}` })),
          }),
        },
      ],
    };
  },
};
