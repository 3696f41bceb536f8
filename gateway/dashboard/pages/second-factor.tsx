/** The second factor of a person: set up with a QR code, replaced, removed. */
import { useEffect, useRef, useState } from "preact/hooks";
import { api } from "../core/api.ts";
import { type Read, useAction } from "../core/read.ts";
import { Badge, CopyButton } from "../ui/bits.tsx";
import { AskDialog } from "../ui/dialog.tsx";
import { Button, CodeField, onSubmit } from "../ui/field.tsx";
import { Card, Failure, Loaded, Notice } from "../ui/page.tsx";
import { QrCode } from "../ui/qr-code.tsx";

type NewFactor = { secret: string; uri: string };
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
  useEffect(() => void begin.run(), []);
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onDone={onDone} />;
  if (!factor) return <Failure failure={begin.failure} retry={code ? onDone : () => void begin.run()} />;
  return <FirstCode factor={factor} onConfirmed={setRecoveryCodes} />;
}

function FirstCode({
  factor,
  onConfirmed,
}: {
  factor: NewFactor;
  onConfirmed: (codes: readonly string[]) => void;
}) {
  const confirm = useAction(async (code: string) =>
    onConfirmed((await api.confirmSecondFactor({ body: { code } })).recoveryCodes),
  );
  const { secret, uri } = factor;
  return (
    <form class="stack" onSubmit={onSubmit(({ code = "" }) => void confirm.run(withoutSpaces(code)))}>
      <ol class="numbered stack">
        <li class="stack-s">
          <p>Open your authenticator app and scan this code.</p>
          <QrCode text={uri} label="QR code for your authenticator app" />
          <p class="small">
            On this device: <a href={uri}>open your authenticator app</a>. You can also type this key:
          </p>
          <p class="copyable">
            <code>{inGroups(secret)}</code>
            <CopyButton text={secret} label="Copy the key" />
          </p>
        </li>
        <li class="stack-s">
          <p>Enter the six digits that the app shows.</p>
          <CodeField failure={confirm.failure} />
        </li>
      </ol>
      <Failure failure={confirm.failure} />
      <div>
        <Button submit kind="primary" isBusy={confirm.isBusy}>
          Confirm
        </Button>
      </div>
    </form>
  );
}

const FILE_NAME = "recovery-codes.txt";

function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const text = codes.join("\n");
  const heading = useRef<HTMLHeadingElement>(null);
  const [file, setFile] = useState("");
  useEffect(() => {
    heading.current?.focus();
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
    setFile(url);
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => {
      URL.revokeObjectURL(url);
      removeEventListener("beforeunload", warn);
    };
  }, [text]);
  return (
    <div class="stack">
      <h3 ref={heading} tabIndex={-1}>
        Store your recovery codes
      </h3>
      <p>
        The second factor is on. If you lose your phone, each of these codes signs you in once. They are not
        shown again.
      </p>
      <pre>{text}</pre>
      <div class="row">
        <CopyButton text={text} label="Copy the codes" />
        <a class="button" href={file} download={FILE_NAME}>
          Download
        </a>
        <Button kind="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </div>
  );
}

type CardProps = { factor: Read<Awaited<ReturnType<typeof api.secondFactor>>> };

export function SecondFactorCard({ factor }: CardProps) {
  // The code of the factor in force; empty where there is none.
  const [setup, setSetup] = useState<{ code: string } | null>(null);
  const [asked, setAsked] = useState<"replace" | "remove" | null>(null);
  const remove = useAction(async (code: string) => {
    await api.removeSecondFactor({ body: { code } });
    setAsked(null);
    await factor.reload();
  });
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
              <span class="soft">{stateInWords(enabled, required, recoveryCodesLeft)}</span>
            </div>
            {setup ? (
              <SecondFactorSetup code={setup.code} onDone={finish} />
            ) : (
              <div class="row">
                <Button onClick={() => (enabled ? setAsked("replace") : setSetup({ code: "" }))}>
                  {enabled ? "Replace…" : "Set up"}
                </Button>
                {enabled && !required && (
                  <Button kind="danger" onClick={() => setAsked("remove")}>
                    Remove…
                  </Button>
                )}
              </div>
            )}
          </>
        )}
      </Loaded>
      {asked && (
        <AskDialog
          title={asked === "remove" ? "Remove the second factor?" : "Replace the second factor?"}
          yes={asked === "remove" ? "Remove" : "Go on"}
          kind={asked === "remove" ? "danger" : "primary"}
          isBusy={remove.isBusy}
          failure={remove.failure}
          onClose={() => {
            setAsked(null);
            remove.clear();
          }}
          onYes={({ code = "" }) => {
            const given = withoutSpaces(code);
            if (asked === "remove") return void remove.run(given);
            setAsked(null);
            setSetup({ code: given });
          }}
        >
          {asked === "remove" ? (
            <Notice tone="warn">
              <p>Your password alone will then sign you in. Your other sessions end.</p>
            </Notice>
          ) : (
            <p>The present one stays in force until the new one is confirmed.</p>
          )}
          <CodeField failure={remove.failure} />
        </AskDialog>
      )}
    </Card>
  );
}

const stateInWords = (enabled: boolean, required: boolean, codesLeft: number): string =>
  enabled ? `${codesLeft} recovery codes left` : required ? "Your role needs one." : "Recommended.";

const withoutSpaces = (code: string): string => code.replace(/\s/g, "");

/** For the eye of a person who types it. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, "$1 ");
