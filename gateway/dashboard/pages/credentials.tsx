/** How the partner's own server signs in: client id, certificates and their rotation, refused tokens. */
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import { api } from "../core/api.ts";
import { ApiFailure } from "../core/http.ts";
import { useAction, useRead } from "../core/read.ts";
import { useMayChange } from "../core/session.ts";
import { Copyable, DaysLeft, Time } from "../ui/bits.tsx";
import { AskButton } from "../ui/dialog.tsx";
import { Button, onSubmit, TextArea } from "../ui/field.tsx";
import { Card, Empty, Failure, Loaded, Page } from "../ui/page.tsx";
import { Facts, Table } from "../ui/table.tsx";
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
          const active = items.filter(({ status }) => status !== "Revoked");
          return active.length === 0 ? (
            <Empty title="No credential yet">
              <p>
                Make a key pair and a certificate on your server, and add the certificate here.{" "}
                <a href="/docs/token">The guide has the commands</a>.
              </p>
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
  const server = useRead("server", readServer);
  return (
    <>
      <Card title="For your server">
        <Facts
          items={[
            ["Client id", <Copyable text={clientId} />],
            ["Issuer", server.value && <Copyable text={server.value.issuer} />],
            ["Token URL", server.value && <Copyable text={server.value.tokenUrl} />],
            ["Created", <Time at={createdAt} />],
          ]}
        />
        <Failure failure={server.failure} retry={() => void server.reload()} />
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
                      <AskButton
                        button="Remove…"
                        label={`Remove ${subject}`}
                        title={`Remove the certificate ${subject}?`}
                        yes="Remove"
                        kind="danger"
                        run={() => api.removeCertificate(id, thumbprint)().then(reload)}
                      >
                        <p>Tokens that were requested with it stop working within seconds.</p>
                      </AskButton>
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
          <AskButton
            button="Revoke the credential…"
            title="Revoke this credential?"
            yes="Revoke"
            kind="danger"
            run={() => api.revokeCredential(id)().then(reload)}
          >
            <p>Its tokens stop working within seconds, and no new token is granted.</p>
          </AskButton>
        </div>
      )}
    </>
  );
}

type Metadata = { issuer: string; token_endpoint: string };

/** As the token endpoint itself names them: this page may have another address. */
async function readServer(): Promise<{ issuer: string; tokenUrl: string }> {
  const response = await fetch("/.well-known/oauth-authorization-server").catch(() => null);
  if (!response?.ok) throw new ApiFailure(response?.status ?? 0, {}, response?.headers ?? new Headers());
  const { issuer, token_endpoint: tokenUrl }: Metadata = await response.json();
  return { issuer, tokenUrl };
}

/** Two certificates at a time, so that a rotation has no gap. */
function Rotation({ credential: { id, certificates }, reload }: Omit<CredentialProps, "mayChange">) {
  if (certificates.length >= MAX_CERTIFICATES)
    return (
      <p class="soft">
        Two certificates are registered. Sign with the key of the new one, check that tokens are still
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
    <form class="stack" onSubmit={onSubmit(({ certificate = "" }) => void save.run({ certificate }))}>
      <TextArea
        label="Certificate"
        name="certificate"
        hint="PEM text, from -----BEGIN CERTIFICATE----- on; an RSA key of at least 2048 bits. Never the private key."
        failure={save.failure}
        isCode
        required
      />
      <Failure failure={save.failure} />
      <div>
        <Button submit kind="primary" isBusy={save.isBusy}>
          Add certificate
        </Button>
      </div>
    </form>
  );
}
