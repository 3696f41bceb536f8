/** The confirmations of documents, as the stream of events has them. */
import { connect } from "nats";
import type { EventEnvelope } from "../../../shared/contract/events.ts";
import { streamName } from "../../../shared/jetstream/streams.ts";
import type { TestPlatform } from "../stage/platform.ts";

/** Every one that ever was published, oldest first. */
export async function confirmations({ addresses, namespace }: TestPlatform): Promise<EventEnvelope[]> {
  const nats = await connect({ servers: addresses.natsUrl });
  try {
    const manager = await nats.jetstreamManager();
    const stream = streamName(namespace, "EVENTS");
    const { first_seq, last_seq } = (await manager.streams.info(stream)).state;
    const found: EventEnvelope[] = [];
    for (let seq = Math.max(1, first_seq); seq <= last_seq; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq });
      for (const line of message.string().split("\n")) {
        const event = JSON.parse(line) as EventEnvelope;
        if (event.eventType === "business.document.confirmed") found.push(event);
      }
    }
    return found;
  } finally {
    await nats.close();
  }
}
