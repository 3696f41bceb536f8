/** Small things that every page uses: states, times, text to copy. */
import { type ComponentChildren, Fragment, h } from "preact";
import { useState } from "preact/hooks";
import { asDistance, asMoment, asNumber, daysUntil } from "../core/format.ts";
import type { Said, Tone } from "../core/words.ts";

export function Badge({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={tone ? `badge tone-${tone}` : "badge"}>{children}</span>;
}

/** A state in its words and colour. */
export const State = ({ of: { label, tone } }: { of: Said }) => <Badge tone={tone}>{label}</Badge>;

/** A long name such as business.profile.created, or an address: it breaks after a sign, not within a word. */
export const Dotted = ({ text }: { text: string }) =>
  h(Fragment, null, ...text.split(/(?<=[./@])/).flatMap((part) => [part, <wbr />]));

const SOON_DAYS = 30;

export function DaysLeft({ notAfter }: { notAfter: string }) {
  const days = daysUntil(notAfter);
  if (days < 0) return <Badge tone="bad">Expired</Badge>;
  return <Badge tone={days < SOON_DAYS ? "warn" : "good"}>{asNumber(days)} days left</Badge>;
}

/** Local for the reader, UTC for machines and for the pointer that rests on it. */
export function Time({ at, distance = false }: { at: string | null; distance?: boolean }) {
  if (at === null) return <span class="soft">–</span>;
  return (
    <time dateTime={at} title={distance ? `${asMoment(at)} (${at})` : at}>
      {distance ? asDistance(at) : asMoment(at)}
    </time>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Copying failed. Select the text and copy it.");
    }
  };
  return (
    <span class="copy">
      <button type="button" class="button plain" onClick={() => void copy()}>
        {label}
      </button>
      <span role="status" class="small soft">
        {said}
      </span>
    </span>
  );
}

export function Copyable({ text }: { text: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}

export type Moment = {
  key: string;
  tone?: Tone | undefined;
  title: ComponentChildren;
  at: string;
  body?: ComponentChildren;
  /** How long nothing happened afterwards, in pixels. */
  wait?: number;
};

export function Timeline({ moments }: { moments: readonly Moment[] }) {
  if (moments.length === 0) return null;
  return (
    <ol class="timeline">
      {moments.map(({ key, tone, title, at, body, wait = 0 }) => (
        <li key={key} class={tone ? `dot-${tone}` : ""} style={{ "--wait": `${wait}px` }}>
          <div class="row">
            <strong>{title}</strong>
            <span class="soft small">
              <Time at={at} />
            </span>
          </div>
          {body}
        </li>
      ))}
    </ol>
  );
}
