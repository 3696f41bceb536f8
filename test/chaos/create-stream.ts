/** A partner's machine that creates business after business, whatever happens to the platform. */
import { randomBytes } from "node:crypto";
import type { DemoData } from "../../deploy/lib/demo-data.ts";
import { aPerson, aSmallProfile } from "../support/builders/profile-builders.ts";
import { type PartnerClient, partnerClient } from "../support/clients/partner-client.ts";

export type Created = { customerId: string; partnerCustomerId: string; people: number };

export type CreateStream = {
  /** Answered 200. */
  created: Created[];
  /** Answered otherwise or not at all: may exist or not. */
  unsure: string[];
  stop(): Promise<void>;
};

const WORKERS = 4;
const PAUSE_MS = 60;
/** Tokens last 300 s. */
const SAME_TOKEN_MS = 120_000;

export function startCreating(demo: DemoData): CreateStream {
  const created: Created[] = [];
  const unsure: string[] = [];
  let stopped = false;
  let client: { at: number; ready: Promise<PartnerClient> } | null = null;

  function currentClient(): Promise<PartnerClient> {
    if (!client || Date.now() - client.at > SAME_TOKEN_MS)
      client = { at: Date.now(), ready: partnerClient(demo) };
    return client.ready.then(
      (ready) => {
        if (ready.token === "undefined") client = null;
        return ready;
      },
      (error: unknown) => {
        client = null;
        throw error;
      },
    );
  }

  async function work(): Promise<void> {
    while (!stopped) {
      const partnerCustomerId = `chaos-${randomBytes(8).toString("hex")}`;
      const people = created.length % 3;
      const businessPersonList = Array.from({ length: people }, () => aPerson({ percentageShare: 10 }));
      try {
        const body = aSmallProfile({ partnerCustomerId, businessPersonList });
        const { status, value } = await (await currentClient()).send(
          "POST",
          "/api/partner/v1/business-profiles",
          body,
        );
        if (status === 200) created.push({ customerId: value.customerId, partnerCustomerId, people });
        else unsure.push(partnerCustomerId);
      } catch {
        unsure.push(partnerCustomerId);
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  const workers = Array.from({ length: WORKERS }, work);
  return {
    created,
    unsure,
    async stop() {
      stopped = true;
      await Promise.all(workers);
    },
  };
}
