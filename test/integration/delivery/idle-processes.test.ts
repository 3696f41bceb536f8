/** Ten idle delivery processes cost little more than one. Takes minutes. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "@jest/globals";
import type { PartitionTable } from "../../../shared/partitions/partition-table.rules.ts";
import type { Program } from "../../support/servers/program.ts";
import { nightlyTest } from "../../support/skipped.ts";
import { operationsOn } from "../../support/stage/database-work.ts";
import { type DeliveryStage, startDeliveryStage } from "../../support/stage/delivery-stage.ts";
import { countMessages, type MessageCount } from "../../support/stage/message-work.ts";
import { startServiceProcess } from "../../support/stage/service-process.ts";
import { openTestDatabase } from "../../support/stage/test-database.ts";
import { waitFor } from "../../support/wait-for.ts";

const PROCESSES = 10;
const MEASURED_MS = 30_000;
const WITHIN_MS = 600_000;
/** Two leases and more: then each knows what the others hold. */
const SETTLED_MS = 20_000;
/** As in production; a stage looks more often, and has longer leases. */
const AS_SHIPPED = { PBO_DELIVERY_POLL_MS: "250", PBO_DELIVERY_PARTITION_LEASE_MS: "5000" };

/** Sent by delivery processes, or asked of JetStream about their stream. */
const OF_DELIVERY = /^MOL-[^.]+\.[A-Z]+\.delivery|\.beats\.delivery$|^\$JS\.API\.|^\$JS\.ACK\./;

const processes: Program[] = [];
let stage: DeliveryStage;
let messages: MessageCount;
let mongo: Awaited<ReturnType<typeof openTestDatabase>>;
beforeAll(async () => {
  stage = await startDeliveryStage();
  mongo = await openTestDatabase("delivery", stage.namespace);
  messages = await countMessages(stage.namespace);
});
afterAll(async () => {
  await Promise.all(processes.map((each) => each.kill("SIGKILL")));
  await Promise.all([mongo.close(), messages.close()]);
  await stage.stop();
});

nightlyTest(
  "ten that have nothing to do ask the database for no more than half as much again as one",
  async () => {
    const { connection } = mongo;
    const start = () => startServiceProcess("delivery", stage.processSettings(AS_SHIPPED));
    const shared = async (count: number) => {
      const table = await connection.collection<PartitionTable>("partitions").findOne();
      const holders = new Set(table?.holdings.map(({ holder }) => holder));
      return table?.members.length === count && holders.size === count;
    };
    const untilShared = (count: number) =>
      waitFor(() => shared(count), { what: `${count} processes`, timeoutMs: 300_000 });
    const soFar = async () => ({
      operations: await operationsOn(connection, "all"),
      sent: await messages.of(OF_DELIVERY),
    });
    const perSecond = async () => {
      await sleep(SETTLED_MS);
      const before = await soFar();
      await sleep(MEASURED_MS);
      const after = await soFar();
      const seconds = MEASURED_MS / 1_000;
      return {
        operations: (after.operations - before.operations) / seconds,
        sent: (after.sent - before.sent) / seconds,
      };
    };
    const say = (whose: string, { operations, sent }: Awaited<ReturnType<typeof perSecond>>) =>
      process.stdout.write(
        `idle, a second: ${operations.toFixed(1)} operations, ${sent.toFixed(1)} messages of ${whose}\n`,
      );

    await stage.stopDelivery();
    processes.push(start());
    await untilShared(1);
    const ofOne = await perSecond();
    processes.push(...Array.from({ length: PROCESSES - 1 }, start));
    await untilShared(PROCESSES);
    const ofTen = await perSecond();
    say("one", ofOne);
    say("ten", ofTen);
    expect(ofTen.operations / ofOne.operations).toBeLessThanOrEqual(1.5);
  },
  WITHIN_MS,
);
