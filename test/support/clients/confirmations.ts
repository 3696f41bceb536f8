/** The confirmations of documents, as the stream of events has them. */
import type { EventDraft } from "../../../shared/contract/events.ts";
import { streamName } from "../../../shared/jetstream/streams.ts";
import { withNats } from "../servers/with-client.ts";
import type { TestPlatform } from "../stage/platform.ts";

type Published = EventDraft & { eventId: string };

export const confirmations = ({ addresses, namespace }: TestPlatform): Promise<Published[]> =>
  withNats(addresses.natsUrl, async (nats) => {
    const manager = await nats.jetstreamManager();
    const stream = streamName(namespace, "EVENTS");
    const { first_seq, last_seq } = (await manager.streams.info(stream)).state;
    const found: Published[] = [];
    for (let seq = Math.max(1, first_seq); seq <= last_seq; seq += 1) {
      const message = await manager.streams.getMessage(stream, { seq });
      for (const line of message.string().split("\n")) {
        const event = JSON.parse(line) as Published;
        if (event.eventType === "business.document.confirmed") found.push(event);
      }
    }
    return found;
  });
