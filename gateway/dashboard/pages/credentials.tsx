/** How the partner's own server signs in: client id, certificates and their rotation, refused tokens. */
import { useState } from "preact/hooks";
import type { CredentialView } from "../../../shared/action-types/auth-token.ts";
import { api } from "../core/api.ts";
import { useAction, useRead } from "../core/read.ts";
import { useMayChange } from "../core/session.ts";
import { Copyable, Time } from "../ui/bits.tsx";
import { Dialog, DialogFoot } from "../ui/dialog.tsx";
import { Button, Field, onSubmit } from "../ui/field.tsx";
import { Card, Empty, Failure, Loaded, Page } from "../ui/page.tsx";
import { Facts, Table } from "../ui/table.tsx";
import { DaysLeft } from "./overview.tsx";
import { RefusedTokens } from "./refused-tokens.tsx";

const MAX_CERTIFICATES = 2;

export function CredentialsPage() {
  const credentials = useRead("credentials", () => api.credentials());
  const mayChange = useMayChange();
  const reload = () => void credentials.reload();
  return (
    <Page
      title="API credentials"
      intro="Your server signs an assertion with its private key and gets an access token for five minutes."
    >
      <Loaded read={credentials}>
        {({ items }) => {
          const active = items.filter(({ status }) => status === "Active");
          return active.length === 0 ? (
            <Empty title="No credential yet">
              <p>Make a key pair and a certificate on your server, and add the certificate here.</p>
              {mayChange && (
                <CertificateForm onSave={(body) => api.createCredential({ body }).then(reload)} />
              )}
            </Empty>
          ) : (
            active.map((credential) => (
              <Credential key={credential.id} credential={credential} mayChange={mayChange} reload={reload} />
            ))
          );
        }}
      </Loaded>
    </Page>
  );
}

type CredentialProps = { credential: CredentialView; mayChange: boolean; reload: () => void };

function Credential({ credential, mayChange, reload }: CredentialProps) {
  const { id, clientId, certificates, createdAt } = credential;
  const origin = location.origin;
  return (
    <>
      <Card title="For your server">
        <Facts
          items={[
            ["Client id", <Copyable text={clientId} />],
            ["Issuer", <Copyable text={origin} />],
            ["Token URL", <Copyable text={`${origin}/oauth2/token`} />],
            ["Created", <Time at={createdAt} />],
          ]}
        />
      </Card>
      <Card title="Certificates">
        <Table
          caption="Certificates"
          rows={certificates}
          keyOf={({ thumbprint }) => thumbprint}
          columns={[
            { label: "Subject", cell: ({ subject }) => subject },
            { label: "Thumbprint", cell: ({ thumbprint }) => <code class="small">{thumbprint}</code> },
            { label: "Valid until", cell: ({ notAfter }) => <Time at={notAfter} /> },
            { label: "State", cell: ({ notAfter }) => <DaysLeft notAfter={notAfter} /> },
            ...(mayChange
              ? [
                  {
                    label: "Change",
                    cell: ({ thumbprint, subject }: CredentialView["certificates"][number]) => (
                      <RemoveButton
                        question={`Remove the certificate ${subject}?`}
                        onYes={() => api.removeCertificate(id, thumbprint)().then(reload)}
                      >
                        Remove…
                      </RemoveButton>
                    ),
                  },
                ]
              : []),
          ]}
        />
        {mayChange && <Rotation credential={credential} reload={reload} />}
      </Card>
      <Card title="Refused tokens">
        <RefusedTokens credentialId={id} />
      </Card>
      {mayChange && (
        <div>
          <RemoveButton
            question="Revoke this credential? Its tokens stop working within seconds."
            onYes={() => api.revokeCredential(id)().then(reload)}
          >
            Revoke the credential…
          </RemoveButton>
        </div>
      )}
    </>
  );
}

/** Two certificates at a time, so that a rotation has no gap. */
function Rotation({ credential: { id, certificates }, reload }: Omit<CredentialProps, "mayChange">) {
  if (certificates.length >= MAX_CERTIFICATES)
    return (
      <p class="soft">
        Two certificates are registered: sign with the key of the new one, look whether tokens are still
        granted, then remove the old one.
      </p>
    );
  return (
    <details>
      <summary>Rotate: add the next certificate</summary>
      <CertificateForm onSave={(body) => api.addCertificate(id)({ body }).then(reload)} />
    </details>
  );
}

function CertificateForm({ onSave }: { onSave: (body: { certificate: string }) => Promise<void> }) {
  const save = useAction(onSave);
  return (
    <form class="stack-s" onSubmit={onSubmit(({ certificate = "" }) => void save.run({ certificate }))}>
      <Field
        label="Certificate"
        name="certificate"
        hint="PEM text, from -----BEGIN CERTIFICATE----- on; an RSA key of at least 2048 bits. Never the private key."
        failure={save.failure}
      >
        {(props) => <textarea class="mono" required spellcheck={false} {...props} />}
      </Field>
      <Failure failure={save.failure} />
      <div>
        <Button submit kind="primary" isBusy={save.isBusy}>
          Add certificate
        </Button>
      </div>
    </form>
  );
}

type RemoveProps = { question: string; onYes: () => Promise<void>; children: string };

function RemoveButton({ question, onYes, children }: RemoveProps) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction(async () => {
    await onYes();
    setAsking(false);
  });
  return (
    <>
      <Button kind="danger" onClick={() => setAsking(true)}>
        {children}
      </Button>
      {isAsking && (
        <Dialog title={question} onClose={() => setAsking(false)}>
          <Failure failure={remove.failure} />
          <DialogFoot>
            <Button onClick={() => setAsking(false)}>Cancel</Button>
            <Button kind="danger" onClick={() => void remove.run()} isBusy={remove.isBusy}>
              Yes
            </Button>
          </DialogFoot>
        </Dialog>
      )}
    </>
  );
}
