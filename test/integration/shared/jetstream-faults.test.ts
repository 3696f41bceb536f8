import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { removal } from "../../support/servers/jetstream-removal.ts";
import {
  type JetStreamStage,
  publish,
  SPEC,
  startJetStreamStage,
  streamOf,
} from "../../support/stage/jetstream-stage.ts";
import { waitFor } from "../../support/wait-for.ts";

let stage: JetStreamStage;
beforeAll(async () => {
  stage = await startJetStreamStage();
});
afterEach(() => stage.cleanUp());
afterAll(() => stage.nats.end());

describe("faults of the server", () => {
  async function aConsumedStream() {
    const { jetstream, namespace } = await stage.aReadyClient();
    const handled = new Set<string>();
    stage.consume(jetstream, async (batch) => {
      for (const { id } of batch) handled.add(String(id));
    });
    const arrives = async (id: string) => {
      await waitFor(() => publish(jetstream, namespace, id), { what: `publishing ${id}` });
      await waitFor(() => handled.has(id), { what: `${id} to arrive` });
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
    expect((await jetstream.position("EVENTS", SPEC.name))?.lastSequence).toBe(1);
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
    await waitFor(refused, { what: "the freeze to be felt" });
    stage.nats.thaw();
    await arrives("after");
  });
});
