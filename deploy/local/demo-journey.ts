/** npm run demo: a partner's first minutes against a running `npm start`, step by step. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { importPKCS8, SignJWT } from "jose";
import { projectDir } from "../lib/paths.ts";

type Demo = {
  baseUrl: string;
  tokenUrl: string;
  issuer: string;
  partners: { name: string; clientId: string; privateKeyFile: string }[];
};

const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";
const CONFIRMATION_DEADLINE_MS = 30_000;
const POLL_MS = 250;

const demo = readDemo();
const partner = demo.partners[0] ?? fail("demo.json names no partner.");
const profiles = `${demo.baseUrl}/api/partner/v1/business-profiles`;

step(`1. ${partner.name} signs an assertion with its private key and gets a token`);
const token = await getToken();

step("2. It creates a business with one owner, in one call");
const created = await call("POST", profiles, business());
show(created);
const customerId: string = created.customerId;

step("3. It asks for an upload link and puts a file straight into storage");
const link = await call("POST", `${profiles}/${customerId}/documents/upload-link`, {
  documentCategory: "CertificateOfIncorporation",
  contentType: "application/pdf",
});
const upload = await fetch(link.uploadUrl, {
  method: "PUT",
  headers: link.headers,
  body: "%PDF-1.7\nA certificate.\n",
});
console.log(`   storage answered ${upload.status}`);

step("4. The document confirms itself; nobody calls anything");
show(await confirmedDocument(customerId, link.documentId));

step("5. It reads the verification status");
show(await call("GET", `${profiles}/${customerId}/verification-status`));

console.log(
  `\nNext: npm run receiver, to get these changes as signed webhooks. All routes: ${demo.baseUrl}/docs\n`,
);

async function getToken(): Promise<string> {
  const key = await importPKCS8(readFileSync(partner.privateKeyFile, "utf8"), "RS256");
  const assertion = await new SignJWT()
    .setProtectedHeader({ alg: "RS256" })
    .setIssuer(partner.clientId)
    .setSubject(partner.clientId)
    .setAudience(demo.issuer)
    .setIssuedAt()
    .setExpirationTime("2m")
    .setJti(crypto.randomUUID())
    .sign(key);
  const response = await fetch(demo.tokenUrl, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "client_credentials",
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: assertion,
    }),
  });
  const { access_token, ...rest } = (await response.json()) as { access_token?: string };
  show(rest);
  return access_token ?? fail("No token was issued.");
}

async function call(method: string, url: string, body?: unknown) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body ? { "content-type": "application/json" } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  // biome-ignore lint/suspicious/noExplicitAny: a demo client reads the answer as a partner's script would
  const answer = (await response.json()) as any;
  if (!answer.isSuccess)
    fail(`${method} ${url} answered ${response.status}:\n${JSON.stringify(answer, null, 2)}`);
  return answer.value;
}

async function confirmedDocument(id: string, documentId: string) {
  const until = Date.now() + CONFIRMATION_DEADLINE_MS;
  while (Date.now() < until) {
    const { documents } = await call("GET", `${profiles}/${id}`);
    const found = documents.find((document: { documentId: string }) => document.documentId === documentId);
    if (found?.status === "Confirmed") return found;
    await new Promise((done) => setTimeout(done, POLL_MS));
  }
  return fail("The document was not confirmed in time; see .local/logs/document.log.");
}

function business() {
  return {
    partnerCustomerId: `demo-${Date.now()}`,
    email: "office@lagos-textiles.example",
    companyName: "Lagos Textiles",
    businessTypeCode: "LLC",
    incorporationCountryIso3Code: "NGA",
    industry: "CustomerRevenue",
    website: "https://lagos-textiles.example",
    registrationNumber: "RC1234567",
    businessPersonList: [
      {
        firstName: "Ada",
        lastName: "Obi",
        email: "ada@lagos-textiles.example",
        nationality: "NGA",
        ownershipType: ["UBO", "DIRECTOR"],
        percentageShare: 60,
        address: {
          streetLine1: "1 Marina Road",
          city: "Lagos",
          state: "Lagos",
          postalCode: "101241",
          countryCode: "NGA",
        },
        identities: [
          { identityTypeCode: "NATIOANL_ID", issuingCountry: "NGA", identityValue: "12345678901" },
        ],
      },
    ],
  };
}

function readDemo(): Demo {
  const at = process.argv.indexOf("--state");
  const folder = at === -1 ? join(projectDir, ".local") : resolve(process.argv[at + 1] ?? "");
  const file = join(folder, "demo.json");
  if (!existsSync(file)) fail(`${file} is not there. Run npm start first and leave it running.`);
  return JSON.parse(readFileSync(file, "utf8"));
}

function step(text: string): void {
  console.log(`\n${text}`);
}

function show(value: unknown): void {
  console.log(JSON.stringify(value, null, 2).replaceAll(/^/gm, "   "));
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
