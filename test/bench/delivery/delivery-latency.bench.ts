/** How long a create takes to become a webhook when there is little to do. */

import { databaseName } from "../../../shared/mongo/mongo.ts";
import { aReference, aSmallProfile } from "../../support/builders/profile-builders.ts";
import { answers200, benchFile } from "../frame/env.ts";
import { postJson } from "../frame/partner.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { openProfilePath, PROFILES } from "../profile/profile-path.ts";
import { openDeliveryPath } from "./delivery-path.ts";
import { steadyLoad } from "./steady-load.ts";

const PER_SECOND = 50;
/** The receiver notes these requests by the reference in their body. */
const HOOK = "/by-reference";
const BARE: FloorFacts = {
  name: "bare process: insertOne, JetStream, sign and POST over TLS",
  fairBecause:
    "the same pace, database, message bus and receiver; a durable write, where ours makes one each for customer, event and delivery, and no gateway, token or service between",
  goals: [{ measure: "p50", atMost: 4 }, { measure: "p99" }],
};

export const bench: BenchSpec = {
  name: `create over HTTP to first byte at the receiver, as scheduled, ${PER_SECOND}/s`,
  issue: 6,
  hotPath: "p50",
  rounds: 9,
  async setup(env) {
    const profiles = await openProfilePath(env);
    const { receiver, register } = await openDeliveryPath(env, {}, { profileRuns: true });
    await register(profiles.partnerId, receiver.url(HOOK));
    const port = await env.freePort();
    const bareUrl = `http://127.0.0.1:${port}`;
    await env.startScript(
      benchFile("floors/bare-outbox.ts"),
      [
        ...[String(port), env.servers.mongodbUri, databaseName(env.namespace, "bare")],
        ...[env.servers.natsUrl, env.namespace, receiver.caFile, receiver.url(HOOK)],
      ],
      () => answers200(bareUrl),
    );
    const creating = (url: string, headers: () => Promise<Record<string, string>>) => ({
      receiver,
      publishOne() {
        const partnerCustomerId = aReference();
        const create = async () => postJson(url, await headers(), aSmallProfile({ partnerCustomerId }));
        return { key: partnerCustomerId, done: create() };
      },
    });
    const ours = creating(profiles.url + PROFILES, profiles.headers);
    const bare = creating(bareUrl, async () => ({}));
    return {
      workload: { name: "create to webhook", run: (window) => steadyLoad(ours, window, PER_SECOND) },
      floors: [{ ...BARE, run: (window) => steadyLoad(bare, window, PER_SECOND) }],
    };
  },
};
