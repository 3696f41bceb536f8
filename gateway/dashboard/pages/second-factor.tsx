/** The second factor of a person: set up with a QR code, replaced, removed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { encode } from "uqr";
import { api } from "../core/api.ts";
import { type Read, useAction } from "../core/read.ts";
import { Badge, CopyButton } from "../ui/bits.tsx";
import { AskButton } from "../ui/dialog.tsx";
import { Button, CodeField, Form, type Values } from "../ui/field.tsx";
import { Card, Failure, Loaded, Notice } from "../ui/page.tsx";

type Factor = Awaited<ReturnType<typeof api.secondFactor>>;
type NewFactor = Awaited<ReturnType<typeof api.beginSecondFactor>>;
type SetupProps = {
  /** Code of the factor in force, which the new one replaces. */
  code?: string;
  onDone: () => void;
};

/** From the secret to the stored recovery codes. */
export function SecondFactorSetup({ code, onDone }: SetupProps) {
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null);
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const begin = useAction(async () => setFactor(await api.beginSecondFactor({ body: code ? { code } : {} })));
  const confirm = useAction(async (body: Values) =>
    setRecoveryCodes((await api.confirmSecondFactor({ body })).recoveryCodes),
  );
  useEffect(() => void begin.run(), []);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  if (!factor) return <Failure failure={begin.failure} retry={code ? onDone : () => void begin.run()} />;
  return (
    <Form action={confirm} submit="Confirm" kind="primary">
      <ol class="numbered stack">
        <li class="stack-s">
          <p>Open your authenticator app and scan this code.</p>
          <QrCode text={factor.uri} label="QR code for your authenticator app" />
          <p class="small">
            On this device, <a href={factor.uri}>open your authenticator app</a>. You can also type this key:
          </p>
          <p class="copyable">
            <code>{inGroups(factor.secret)}</code>
            <CopyButton text={factor.secret} label="Copy the key" />
          </p>
        </li>
        <li class="stack-s">
          <p>Enter the six digits from the app.</p>
          <CodeField />
        </li>
      </ol>
    </Form>
  );
}

/** Modules of light around a QR code (ISO/IEC 18004). */
const QUIET = 4;

/** Dark on light in both themes: cameras expect it. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", boostEcc: false, border: QUIET });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="qr-dark" d={dark.join("")} shape-rendering="crispEdges" />
    </svg>
  );
}

/** For the eye of a person who types it. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, "$1 ");

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus();
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);
  return (
    <div class="stack">
      <h3 ref={heading} tabIndex={-1}>
        Save your recovery codes
      </h3>
      <p>
        The second factor is on. If you lose your phone, each code signs you in once. The codes are not shown
        again.
      </p>
      <pre>{text}</pre>
      <div class="row">
        <CopyButton text={text} label="Copy the codes" />
        <a
          class="button"
          href={`data:text/plain,${encodeURIComponent(`${text}\n`)}`}
          download="recovery-codes.txt"
        >
          Download
        </a>
        <Button kind="primary" onClick={onDone}>
          I saved the codes
        </Button>
      </div>
    </div>
  );
}

export function SecondFactorCard({ factor }: { factor: Read<Factor> }) {
  // The code of the factor in force; empty where there is none.
  const [setup, setSetup] = useState<{ code: string } | null>(null);
  const finish = () => {
    setSetup(null);
    void factor.reload();
  };
  return (
    <Card title="Second factor">
      <Loaded read={factor} lines={2}>
        {({ enabled, required, recoveryCodesLeft }) => (
          <>
            <div class="row">
              <Badge tone={enabled ? "good" : required ? "bad" : undefined}>{enabled ? "On" : "Off"}</Badge>
              <span class="soft">
                {enabled
                  ? `${recoveryCodesLeft} recovery codes left`
                  : required
                    ? "Your role requires it."
                    : "Recommended."}
              </span>
            </div>
            {setup ? (
              <SecondFactorSetup code={setup.code} onDone={finish} />
            ) : (
              <div class="row">
                {enabled ? (
                  <AskButton
                    button="Replace…"
                    title="Replace the second factor?"
                    yes="Continue"
                    run={async ({ code = "" }) => setSetup({ code })}
                  >
                    <p>Your current second factor works until you confirm the new one.</p>
                    <CodeField />
                  </AskButton>
                ) : (
                  <Button onClick={() => setSetup({ code: "" })}>Set up</Button>
                )}
                {enabled && !required && (
                  <AskButton
                    button="Remove…"
                    title="Remove the second factor?"
                    kind="danger"
                    run={(body) => api.removeSecondFactor({ body }).then(() => factor.reload())}
                  >
                    <Notice tone="warn">
                      Your password alone will sign you in. Your other sessions will end.
                    </Notice>
                    <CodeField />
                  </AskButton>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
    </Card>
  );
}
