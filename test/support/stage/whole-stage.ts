/** The whole system in this process: gateway and every service over real servers, with partners, analysts and demo data. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDemoData } from "../../../deploy/demo/make-demo-data.ts";
import type { DemoData, DemoPartner } from "../../../deploy/lib/demo-data.ts";
import { keepDevCertificates } from "../../../deploy/lib/dev-ca.ts";
import deliveryService from "../../../services/delivery/delivery.service.ts";
import documentService from "../../../services/document/document.service.ts";
import profileService from "../../../services/profile/profile.service.ts";
import registryService from "../../../services/webhook-registry/webhook-registry.service.ts";
import { newPartner } from "../clients/accounts.ts";
import type { Login } from "../clients/dashboard-client.ts";
import { type Enrolled, enrol } from "../clients/second-factor.ts";
import { quietReport } from "../quiet-report.ts";
import { createTestBucket, testServers } from "../servers/servers.ts";
import { startAuthStage } from "./auth-stage.ts";
import { openStage, type Settings } from "./stage.ts";

/** Its people are the operator's and two partners', as on the local platform. */
export async function startWholeStage(settings: Settings, { demoCustomers }: { demoCustomers: number }) {
  const dir = mkdtempSync(join(tmpdir(), "pbo-whole-stage-"));
  const tls = await keepDevCertificates(dir);
  const on = openStage({
    PBO_WEBHOOK_ALLOW_LOOPBACK: "true",
    PBO_WEBHOOK_CA_FILE: tls.ca,
    PBO_STORAGE_ORIGIN: new URL(testServers().s3.endpoint).origin,
    ...settings,
  });
  await createTestBucket(on.namespace);
  const [auth] = await Promise.all([
    startAuthStage(settings, { on, profileProbe: false }),
    on.start("profile", [profileService]),
    on.start("document", [documentService]),
    on.start("webhook-registry", [registryService]),
    on.start("delivery", [deliveryService]),
  ]);
  await on.untilMet();

  const stop = async (): Promise<void> => {
    await auth.stop();
    rmSync(dir, { recursive: true, force: true });
  };

  const aPartner = (roles?: readonly string[]): Promise<DemoPartner> => newPartner(auth.call, dir, roles);
  const { issuer } = auth;
  /** With the second factor that production wants, and one code for the sign-in that makes the demo data. */
  const withFactor = async () => {
    const { email, password, recoveryCodes } = await enrol(issuer, await auth.analyst());
    return { email, password, code: recoveryCodes[0] ?? "" };
  };
  const demo: DemoData = {
    baseUrl: issuer,
    tokenUrl: `${issuer}/oauth2/token`,
    issuer,
    tls,
    partners: [await aPartner(), await aPartner()],
    analysts: [await withFactor(), await withFactor()],
  };
  await auth.call("auth-token.setAnalystLead", { email: demo.analysts[0]?.email ?? "", lead: true });
  const demoData = { demo, env: on.settingsOf(), report: quietReport, customers: demoCustomers };
  await makeDemoData(demoData).catch(async (error) => {
    await stop();
    throw error;
  });

  return {
    baseUrl: issuer,
    demo,
    namespace: on.namespace,
    /** The same people of the operator, and a partner of a test's own. */
    withNewPartner: async (roles: readonly string[]): Promise<DemoData> => ({
      ...demo,
      partners: [await aPartner(roles)],
    }),
    /** Has signed in once and set up the second factor. */
    newAnalyst: async (): Promise<Enrolled> => enrol(issuer, await auth.analyst()),
    rawAnalyst: auth.analyst,
    /** The first person of a partner that the operator has not approved. */
    async ownerOfUnapproved(): Promise<{ login: Login; approve(): Promise<unknown> }> {
      const { partnerId } = await auth.call("auth-token.createPartner", { name: "Zephyr Pay" });
      return {
        login: await auth.user(partnerId, "Owner"),
        approve: () => auth.call("auth-token.approvePartner", { partnerId }),
      };
    },
    stop,
  };
}
