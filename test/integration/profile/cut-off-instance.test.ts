/** Two processes of profile, of which one has lost its way to MongoDB: callers must hardly notice. */
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import profileService from "../../../services/profile/profile.service.ts";
import { orderedId } from "../../../shared/ids.ts";
import { aSmallProfile } from "../../support/builders/profile-builders.ts";
import { type Link, type LinkMode, startLink } from "../../support/servers/link.ts";
import { testServers } from "../../support/servers/servers.ts";
import { untilKnown } from "../../support/stage/known-nodes.ts";
import { type ProfileStage, startProfileStage } from "../../support/stage/profile-stage.ts";
import { openStage } from "../../support/stage/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: ProfileStage;
let link: Link;
let opened: { action: string; nodeID: string }[];
let cutOff: string;

beforeEach(async () => {
  link = await startLink(testServers().mongodbUri);
  const on = openStage();
  stage = await startProfileStage({}, { on });
  const other = await on.start("profile", [profileService], { PBO_MONGODB_URI: link.url });
  cutOff = other.nodeID;
  opened = [];
  stage.edge.localBus.on("$circuit-breaker.opened", (breaker: { action: string; nodeID: string }) => {
    opened.push(breaker);
  });
  await untilKnown(stage.edge, "profile", other);
});
afterEach(async () => {
  link.set("pass");
  await stage.stop();
  await link.close();
});

const create = () => stage.ask("profile.create", { body: aSmallProfile(), callId: orderedId(Date.now()) });
/** As many at a time as thirty clients make: the breaker wants twenty failures within ten seconds, also on a busy machine. */
async function createMany(count: number) {
  const outcomes: Awaited<ReturnType<typeof create>>[] = [];
  const client = async () => {
    while (outcomes.length < count) outcomes.push(await create());
  };
  await Promise.all(Array.from({ length: 30 }, client));
  return outcomes;
}

describe("two processes, of which one is cut off from MongoDB", () => {
  test.each<[string, LinkMode]>([
    ["its connections are refused", "refuse"],
    ["nothing comes back on its connections", "hold"],
  ])(
    "%s: the breaker opens for its creates, and at most 1 of 100 is refused from then on",
    async (_, mode) => {
      await createMany(20);
      link.set(mode);
      const isOpen = () =>
        opened.some(({ action, nodeID }) => action === "profile.create" && nodeID === cutOff);
      const load = async () => {
        await createMany(50);
        return isOpen();
      };
      await waitFor(load, "the breaker to open");
      const after = await createMany(200);
      const failed = after.filter(({ ok }) => !ok);
      expect(failed.length).toBeLessThanOrEqual(after.length / 100);
      expect(await stage.collection.countDocuments({ partnerId: stage.partnerId })).toBeGreaterThanOrEqual(
        after.length - failed.length,
      );
    },
  );
});
