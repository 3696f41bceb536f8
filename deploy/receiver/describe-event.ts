/** A received request as lines for a terminal. */
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

type Style = Parameters<typeof styleText>[0];
export type Paint = (style: Style, text: string) => string;

export const colours: Paint = (style, text) => styleText(style, text, { validateStream: false });
export const plain: Paint = (_style, text) => text;

export function describeEvent(received: Received, paint: Paint): string {
  const { at, headers, verified, timesBefore, answered } = received;
  const time = paint("dim", at.toISOString().slice(11, 23));
  if (!verified)
    return `${time} ${paint(["red", "bold"], "not verified")} ${printable(headers["svc-event-type"] ?? "no event type")} → ${answered}\n`;

  const marks = [
    paint("green", "verified"),
    ...(timesBefore > 0 ? [paint("yellow", `seen ${timesBefore}× before`)] : []),
    ...(headers["svc-replay"] === "true" ? [paint("magenta", "replay")] : []),
    ...(Number(headers["svc-attempt"]) > 1
      ? [paint("yellow", `attempt ${printable(headers["svc-attempt"])}`)]
      : []),
  ];
  const title = paint(["cyan", "bold"], printable(headers["svc-event-type"]));
  const status = paint(answered < 300 ? "green" : "red", String(answered));
  return `${time} ${title} ${marks.join(", ")} → ${status}\n${details(received, paint)}`;
}

function details({ headers, body, timesBefore }: Received, paint: Paint): string {
  const id = `  ${paint("dim", `event ${printable(headers["svc-event-id"])}  delivery ${printable(headers["svc-delivery-id"])}`)}\n`;
  if (timesBefore > 0) return id;
  return `${id}${dataOf(body)
    .split("\n")
    .map((line) => `  ${line}\n`)
    .join("")}`;
}

/** Through JSON and back, so that no control character of the body reaches the terminal. */
function dataOf(body: string): string {
  try {
    const { data, correlation } = JSON.parse(body) as { data?: unknown; correlation?: unknown };
    return JSON.stringify({ data, correlation }, null, 2);
  } catch {
    return JSON.stringify(body);
  }
}

const printable = (text = ""): string => text.replace(/[^\x20-\x7e]/g, "?");
