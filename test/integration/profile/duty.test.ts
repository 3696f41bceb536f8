/** The lease of the duty of profile: its renewals prove that the database takes writes. */
import { expect, test } from "@jest/globals";
import profileService from "../../../services/profile/profile.service.ts";
import { serviceRuntimeOf } from "../../../shared/moleculer/service.ts";
import { openStage } from "../../support/stage/stage.ts";
import { waitFor } from "../../support/wait-for.ts";

test("a process that renews its lease writes no other heartbeat", async () => {
  const on = openStage();
  const broker = await on.start("profile", [profileService]);
  const written = { partitions: 0, beats: 0 };
  const { connection } = serviceRuntimeOf(broker).mongo;
  connection.getClient().on("commandStarted", ({ command }) => {
    const name = command.findAndModify ?? command.update;
    if (name === "partitions" || name === "beats") written[name as "beats"] += 1;
  });
  await waitFor(() => written.partitions >= 4, { what: "four renewals" });
  await on.stop();
  expect(written.beats).toBeLessThanOrEqual(1);
});
