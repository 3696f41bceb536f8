/** How the partner's own server signs in: client id, certificates and their rotation, refused tokens. */
import type { CredentialView } from "../../../shared/contract/answers/credential.ts";
import { api } from "../core/api.ts";
import { asWords } from "../core/format.ts";
import { ApiFailure } from "../core/http.ts";
import { useAction, useRead } from "../core/read.ts";
import { useMayChange } from "../core/session.ts";
import { refusalWords } from "../core/words.ts";
import { Copyable, DaysLeft, Time } from "../ui/bits.tsx";
import { AskButton } from "../ui/dialog.tsx";
import { Form, TextArea, type Values } from "../ui/field.tsx";
import { Card, Empty, Failure, Loaded, Page } from "../ui/page.tsx";
import { type Column, Facts, Table } from "../ui/table.tsx";

const MAX_CERTIFICATES = 2;

export function CredentialsPage() {
  const credentials = useRead("credentials", api.credentials);
  const mayChange = useMayChange();
  const reload = () => void credentials.reload();
  return (
    <Page
      title="API credentials"
      intro="Your server signs an assertion with its private key. It receives an access token for five minutes."
    >
      <Loaded read={credentials}>
        {({ items }) => {
          const active = items.filter(({ status }) => status !== "Revoked");
          if (active.length > 0)
            return active.map((credential) => (
              <Credential key={credential.id} credential={credential} mayChange={mayChange} reload={reload} />
            ));
          return (
            <Empty title="No credential yet">
              <p>
                Create a key pair and a certificate on your server, then add the certificate here.{" "}
                <a href="/docs/token">The guide has the commands</a>.
              </p>
              {mayChange && (
                <CertificateForm onSave={(body) => api.createCredential({ body }).then(reload)} />
              )}
            </Empty>
          );
        }}
      </Loaded>
    </Page>
  );
}

type CredentialProps = { credential: CredentialView; mayChange: boolean; reload: () => void };
type Certificate = CredentialView["certificates"][number];

function Credential({ credential, mayChange, reload }: CredentialProps) {
  const { id, clientId, certificates, createdAt } = credential;
  const server = useRead("server", readServer);
  const removal: Column<Certificate> = {
    label: "Action",
    cell: ({ thumbprint, subject }) => (
      <AskButton
        button="Remove…"
        label={`Remove the certificate ${subject}`}
        kind="danger"
        run={() => api.removeCertificate(id, thumbprint)().then(reload)}
      >
        <p>Tokens requested with this certificate stop working within seconds.</p>
      </AskButton>
    ),
  };
  return (
    <>
      <Card title="Settings for your server">
        <Facts
          items={[
            ["Client id", <Copyable text={clientId} />],
            ["Issuer", server.value && <Copyable text={server.value.issuer} />],
            ["Token URL", server.value && <Copyable text={server.value.token_endpoint} />],
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
            ...(mayChange ? [removal] : []),
          ]}
        />
        {mayChange && <Rotation credential={credential} reload={reload} />}
      </Card>
      <Card title="Refused token requests">
        <RefusedTokens credentialId={id} />
      </Card>
      {mayChange && (
        <div>
          <AskButton
            button="Revoke this credential…"
            kind="danger"
            run={() => api.revokeCredential(id)().then(reload)}
          >
            <p>Its tokens stop working within seconds. No new token is granted.</p>
          </AskButton>
        </div>
      )}
    </>
  );
}

/** As the token endpoint itself names them: this page may have another address. */
async function readServer(): Promise<{ issuer: string; token_endpoint: string }> {
  const response = await fetch("/.well-known/oauth-authorization-server").catch(() => null);
  if (!response?.ok) throw new ApiFailure(response?.status ?? 0, {}, response?.headers);
  return response.json();
}

/** Two certificates at a time, so that a rotation has no gap. */
function Rotation({ credential: { id, certificates }, reload }: Omit<CredentialProps, "mayChange">) {
  if (certificates.length >= MAX_CERTIFICATES)
    return (
      <p class="soft">
        Two certificates are registered. Sign with the key of the new certificate and check that tokens are
        granted. Then remove the old certificate.
      </p>
    );
  return (
    <details>
      <summary>Add the next certificate</summary>
      <CertificateForm onSave={(body) => api.addCertificate(id)({ body }).then(reload)} />
    </details>
  );
}

function CertificateForm({ onSave }: { onSave: (body: Values) => Promise<void> }) {
  return (
    <Form action={useAction(onSave)} submit="Add certificate" kind="primary">
      <TextArea
        label="Certificate"
        name="certificate"
        hint="PEM text that starts with -----BEGIN CERTIFICATE-----, with an RSA key of at least 2048 bits. Never paste the private key."
        isCode
        required
      />
    </Form>
  );
}

type RefusedProps = { credentialId: string; limit?: number };

export function RefusedTokens({ credentialId, limit = 50 }: RefusedProps) {
  const failures = useRead(credentialId, api.tokenFailures(credentialId));
  return (
    <Loaded read={failures} lines={2}>
      {({ items }) => (
        <Table
          caption="Refused token requests"
          rows={items.slice(0, limit)}
          keyOf={({ requestId }) => requestId}
          empty="No token requests were refused."
          columns={[
            { label: "Time", cell: ({ at }) => <Time at={at} distance /> },
            {
              label: "Reason",
              cell: ({ reason, message }) => (
                <>
                  <strong>{asWords(reason)}</strong>
                  <div class="soft small">{message}</div>
                </>
              ),
            },
            { label: "How to fix it", cell: ({ reason }) => refusalWords(reason) },
          ]}
        />
      )}
    </Loaded>
  );
}
