import { afterEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import type { JetStream } from "../../../shared/jetstream/jetstream.ts";
import { watchStreams } from "../../../shared/jetstream/stream-watch.ts";
import { noLanes } from "../../../shared/lanes.ts";
import { createMetrics } from "../../../shared/telemetry/metrics.ts";
import { removal } from "../../support/servers/jetstream-store.ts";
import { publish, SPEC, startJetStreamStage, streamOf } from "../../support/stage/jetstream-stage.ts";
import { ofFile } from "../../support/stage/stage-of-file.ts";
import { waitFor } from "../../support/wait-for.ts";

const stage = ofFile(startJetStreamStage, ({ nats }) => nats.end());
afterEach(() => stage.cleanUp());

describe("faults of the server", () => {
  async function aConsumedStream() {
    const { jetstream, namespace } = await stage.aReadyClient();
    const handled = new Set<string>();
    stage.consume(jetstream, async (batch) => {
      for (const { id } of batch) handled.add(String(id));
    });
    const arrives = async (id: string) => {
      await waitFor(() => publish(jetstream, namespace, id), `publishing ${id}`);
      await waitFor(() => handled.has(id), `${id} to arrive`);
    };
    await arrives("before");
    return { jetstream, namespace, arrives };
  }

  test("restart: consuming goes on", async () => {
    const { arrives } = await aConsumedStream();
    await stage.nats.stop();
    await stage.nats.start();
    await arrives("after");
  });

  test("restart with an empty store: stream and consumer are made again, consuming goes on", async () => {
    const { arrives, jetstream } = await aConsumedStream();
    await stage.nats.restartEmpty();
    await arrives("after");
    expect((await jetstream.numbers("EVENTS", [SPEC]))?.lastSequence).toBe(1);
  });

  test("stream deleted on the running server: made again, consuming goes on", async () => {
    const { arrives, namespace } = await aConsumedStream();
    await stage.onServer((m) => removal(m.streams.delete(streamOf(namespace))));
    await arrives("after");
  });

  test("consumer deleted on the running server: made again, consuming goes on", async () => {
    const { arrives, namespace } = await aConsumedStream();
    await stage.onServer((m) => removal(m.consumers.delete(streamOf(namespace), SPEC.name)));
    await arrives("after");
  });

  test("frozen for a moment: consuming goes on", async () => {
    const { arrives, jetstream, namespace } = await aConsumedStream();
    await stage.nats.freeze();
    const refused = () =>
      publish(jetstream, namespace, "during").then(
        () => false,
        () => true,
      );
    await waitFor(refused, "the freeze to be felt");
    stage.nats.thaw();
    await arrives("after");
  });

  /** Twenty seconds of standstill pass in two. */
  const watching = (jetstream: Pick<JetStream, "numbers" | "rebuild">) =>
    watchStreams([SPEC], {
      jetstream,
      metrics: createMetrics("test"),
      logger: pino({ level: "silent" }),
      lanes: noLanes,
      clock: { now: () => 10 * Date.now() },
      everyMs: 200,
    });

  test("a stream that holds messages and gives out none is made anew, consuming goes on", async () => {
    const { jetstream, arrives } = await aConsumedStream();
    const created = async () => (await jetstream.numbers("EVENTS", [SPEC]))?.created;
    const damaged = await created();
    const watch = watching({
      ...jetstream,
      /** As nats-server says after zeros in a block: it knows of 45, gave out 16, and knows of nothing more to give. */
      async numbers(...asked) {
        const numbers = await jetstream.numbers(...asked);
        if (!numbers || numbers.created !== damaged) return numbers;
        const consumers = numbers.consumers.map((each) => ({ ...each, deliveredUpTo: 16 }));
        return { ...numbers, lastSequence: 45, consumers };
      },
    });
    watch.start();
    await waitFor(async () => ![undefined, damaged].includes(await created()), "a new stream");
    await watch.stop();
    await arrives("after");
  });

  test("zeros in the blocks of its store: what is published afterwards arrives", async () => {
    const { jetstream, arrives } = await aConsumedStream();
    await stage.nats.restartDamaged((block) => block.fill(0, block.length >> 2, block.length >> 1));
    const watch = watching(jetstream);
    watch.start();
    await arrives("after");
    await watch.stop();
  });
});
