/** Small things that every page uses: states, times, filters as chips, text to copy. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { asDistance, asMoment } from "../core/format.ts";
import type { Tone } from "./page.tsx";

export function Badge({ tone, children }: { tone?: Tone | undefined; children: ComponentChildren }) {
  return <span class={tone ? `badge tone-${tone}` : "badge"}>{children}</span>;
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

type ChipsProps = {
  label: string;
  chips: readonly { label: string; href: string; isCurrent: boolean; count?: number | undefined }[];
};

export function Chips({ label, chips }: ChipsProps) {
  return (
    <nav class="chips" aria-label={label}>
      {chips.map((chip) => (
        <a key={chip.label} href={chip.href} aria-current={chip.isCurrent ? "true" : undefined}>
          {chip.label}
          {chip.count !== undefined && <span class="soft">{chip.count}</span>}
        </a>
      ))}
    </nav>
  );
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied");
    } catch {
      setSaid("Select and copy it by hand");
    }
  };
  return (
    <button type="button" class="button plain" onClick={() => void copy()}>
      <span role="status">{said || label}</span>
    </button>
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
  wait?: number;
};

/** `wait`: how long nothing happened before, in pixels. */
export function Timeline({ moments }: { moments: readonly Moment[] }) {
  return (
    <ol class="timeline">
      {moments.map(({ key, tone, title, at, body, wait = 0 }) => (
        <li key={key} class={tone ? `dot-${tone}` : ""} style={{ marginTop: `${wait}px` }}>
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
