/** A received request as lines for a terminal, in colour where standard output shows it. */
import { styleText } from "node:util";

export type Received = {
  at: Date;
  headers: Record<string, string | undefined>;
  body: string;
  verified: boolean;
  /** How often this event came before. */
  timesBefore: number;
  answered: number;
};

export function describeEvent(received: Received): string {
  const { at, headers, verified, timesBefore, answered } = received;
  const time = styleText("dim", at.toISOString().slice(11, 23));
  if (!verified)
    return `${time} ${styleText(["red", "bold"], "not verified")} ${printable(headers["svc-event-type"] ?? "no event type")} → ${answered}\n`;

  const marks = [
    styleText("green", "verified"),
    ...(timesBefore > 0 ? [styleText("yellow", `seen ${timesBefore}× before`)] : []),
    ...(headers["svc-replay"] === "true" ? [styleText("magenta", "replay")] : []),
    ...(Number(headers["svc-attempt"]) > 1
      ? [styleText("yellow", `attempt ${printable(headers["svc-attempt"])}`)]
      : []),
  ];
  const title = styleText(["cyan", "bold"], printable(headers["svc-event-type"]));
  const status = styleText(answered < 300 ? "green" : "red", String(answered));
  return `${time} ${title} ${marks.join(", ")} → ${status}\n${details(received)}`;
}

function details({ headers, body, timesBefore }: Received): string {
  const id = `  ${styleText("dim", `event ${printable(headers["svc-event-id"])}  delivery ${printable(headers["svc-delivery-id"])}`)}\n`;
  if (timesBefore > 0) return id;
  return `${id}${dataOf(body)
    .split("\n")
    .map((line) => `  ${line}\n`)
    .join("")}`;
}

/** JSON escapes control characters of the body. */
function dataOf(body: string): string {
  try {
    const { data, correlation } = JSON.parse(body) as { data?: unknown; correlation?: unknown };
    return JSON.stringify({ data, correlation }, null, 2);
  } catch {
    return JSON.stringify(body);
  }
}

const printable = (text = ""): string => text.replace(/[^\x20-\x7e]/g, "?");
