/** A customer: its review, open change requests, people and documents. */
import type { Customer } from "../../../shared/contract/answers/customer.ts";
import type { ChangeRequest, Verification } from "../../../shared/contract/answers/verification.ts";
import { api } from "../core/api.ts";
import { asSize, asWords } from "../core/format.ts";
import { useRead } from "../core/read.ts";
import { href } from "../core/router.ts";
import { targetLabel } from "../core/targets.ts";
import { deliveryWords, documentWords, requestWords, verificationWords } from "../core/words.ts";
import { Copyable, State, Time, Timeline } from "../ui/bits.tsx";
import { Card, Empty, Loaded, Page } from "../ui/page.tsx";
import { Facts, Table } from "../ui/table.tsx";

export function CustomerPage({ params: { customerId = "" } }: { params: Record<string, string> }) {
  const customer = useRead(customerId, api.customer(customerId));
  const verification = useRead(customerId, api.verification(customerId));
  const back = { href: href("/customers"), label: "Customers" };
  if (customer.failure && MISSING.has(customer.failure.status))
    return (
      <Page title="Customer" back={back}>
        <Empty title={customer.failure.status === ERASED ? "This customer was erased" : "Customer not found"}>
          <a href={back.href}>All customers</a>
        </Empty>
      </Page>
    );
  return (
    <Page title={customer.value?.companyName ?? "Customer"} back={back}>
      <div class="split">
        <Loaded read={customer} lines={10}>
          {(value) => <Record customer={value} />}
        </Loaded>
        <div class="stack">
          <Loaded read={verification} lines={6}>
            {(value) => <Review verification={value} customer={customer.value} />}
          </Loaded>
          <Events customerId={customerId} />
        </div>
      </div>
    </Page>
  );
}

/** Not found, of another partner, or erased. */
const ERASED = 410;
const MISSING = new Set([403, 404, ERASED]);

function Record({ customer }: { customer: Customer }) {
  return (
    <>
      <Card title="Company">
        <Facts
          items={[
            ["Reference", customer.partnerCustomerId],
            ["Customer id", <Copyable key="id" text={customer.customerId} />],
            ["Registration number", customer.registrationNumber],
            ["Type", asWords(customer.businessTypeCode)],
            ["Country", customer.incorporationCountryIso3Code],
            ["Industry", asWords(customer.industry)],
            ["Email", customer.email],
            ["Website", customer.website],
            ["Version", customer.version],
            ["Last change", <Time key="updated" at={customer.updatedAt} />],
          ]}
        />
      </Card>
      <Card title="People">
        <Table
          caption="People"
          rows={customer.businessPersonList}
          keyOf={({ uboId }) => uboId}
          empty="No owners or directors were given."
          columns={[
            { label: "Name", cell: ({ firstName, lastName }) => `${firstName} ${lastName}` },
            { label: "Role", cell: ({ ownershipType }) => ownershipType.map(asWords).join(", ") },
            {
              label: "Identities",
              cell: ({ identities }) =>
                identities.map(({ identityTypeCode, identityValue }) => (
                  <div key={identityTypeCode}>
                    {asWords(identityTypeCode)} <code>{identityValue}</code>
                  </div>
                )),
            },
          ]}
        />
      </Card>
      <Card title="Documents">
        <Table
          caption="Documents"
          rows={customer.documents}
          keyOf={({ documentId }) => documentId}
          empty="No documents uploaded."
          columns={[
            { label: "Document", cell: ({ documentCategory }) => asWords(documentCategory) },
            {
              label: "Status",
              cell: ({ status, reason }) => (
                <>
                  <State of={documentWords(status)} />
                  {reason && <div class="soft small">{asWords(reason)}</div>}
                </>
              ),
            },
            { label: "Size", cell: ({ sizeBytes }) => (sizeBytes ? asSize(sizeBytes) : "–") },
            { label: "Confirmed", cell: ({ confirmedAt }) => <Time at={confirmedAt} /> },
          ]}
        />
      </Card>
    </>
  );
}

type ReviewProps = { verification: Verification; customer: Customer | null };

/** Until the customer is read. */
const NOBODY = { businessPersonList: [] };

function Review({ verification, customer }: ReviewProps) {
  const { verificationStatus, changeRequests, decision, history } = verification;
  return (
    <>
      <Card title="Review" actions={<State of={verificationWords(verificationStatus)} />}>
        {decision?.reasons.map(({ code, message }) => (
          <p key={code}>
            {asWords(code)}: {message}
          </p>
        ))}
        <Timeline
          moments={history.toReversed().map(({ status, at }) => ({
            key: at + status,
            at,
            tone: verificationWords(status).tone,
            title: verificationWords(status).label,
          }))}
        />
      </Card>
      {changeRequests.length > 0 && (
        <Card title="Requested changes">
          <ul class="stack-s">
            {changeRequests.map((request) => (
              <li key={request.changeRequestId} class="stack-s">
                <div class="row">
                  <State of={requestWords(request.status)} />
                  <strong>{targetLabel(request.target, customer ?? NOBODY)}</strong>
                </div>
                <p>{request.message}</p>
                {request.status === "Open" && <p class="soft small">{answerTo(request)}</p>}
              </li>
            ))}
          </ul>
        </Card>
      )}
    </>
  );
}

const SHOWN_EVENTS = "10";

/** Events of the customer, newest first. */
function Events({ customerId }: { customerId: string }) {
  const deliveries = useRead(customerId, api.deliveries({ customerId, pageSize: SHOWN_EVENTS }));
  return (
    <Card title="Events" actions={<a href={href("/deliveries", { customerId })}>All deliveries</a>}>
      <Loaded read={deliveries} lines={3}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="soft">No events were sent yet.</p>
          ) : (
            <Timeline
              moments={items.map(({ id, eventType, status, occurredAt }) => ({
                key: id,
                at: occurredAt,
                tone: deliveryWords(status).tone,
                title: <a href={href(`/deliveries/${id}`, { customerId })}>{eventType}</a>,
                body: <span class="soft small">{deliveryWords(status).label}</span>,
              }))}
            />
          )
        }
      </Loaded>
    </Card>
  );
}

/** How the partner's system answers it. */
function answerTo({ target: { kind, uboId, documentCategory, field } }: ChangeRequest): string {
  if (kind === "Document" || documentCategory)
    return `To answer, upload a new document${documentCategory ? ` (${asWords(documentCategory)})` : ""} by API.`;
  if (kind === "Business") return `To answer, correct ${field ?? "the customer"} by API.`;
  if (!uboId) return "To answer, add the missing person by API.";
  const changed = kind === "Identity" ? "identities" : (field ?? "data");
  return `To answer, correct the person's ${changed} by API.`;
}
