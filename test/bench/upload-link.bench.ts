/** Upload links over HTTP, with every check and a durable record, next to a loop that only signs and inserts. */
import { randomUUID } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import mongoose from "mongoose";
import { databaseName } from "../../shared/mongo/mongo.ts";
import { aDocument } from "../support/builders/a-document.ts";
import { aSmallProfile } from "../support/builders/profile-builders.ts";
import { createTestBucket } from "../support/servers/servers.ts";
import type { BenchEnv } from "./frame/env.ts";
import { runInFlight } from "./frame/in-flight.ts";
import { admitPartner, postJson } from "./frame/partner.ts";
import type { BenchSpec, FloorFacts } from "./frame/spec.ts";
import { PROFILES } from "./profile/profile-path.ts";

const CUSTOMERS = 200;
const LINK_SECONDS = 1_800;
const A_LINK = { documentCategory: "BankStatement", contentType: "application/pdf" };
const QUIET = { PBO_LOG_LEVEL: "warn" };
/** No file is uploaded here. */
const NO_LOOKS = { PBO_DOCUMENT_FIRST_LOOK_MS: "600000" };

const BARE: FloorFacts = {
  name: "bare loop: getSignedUrl + insertOne",
  fairBecause: "the same record, write concern and signature; no HTTP, no caller, no customer to look up",
  measure: "rate",
  atLeast: 0.7,
};

export const bench: BenchSpec = {
  name: "upload-link over HTTP",
  issue: 5,
  async setup(env) {
    const bucket = await createTestBucket(env.namespace);
    const path = await openDocumentPath(env);
    const linkOnce = await openBareLoop(env, bucket);
    return {
      workload: {
        name: "gateway, profile and document service",
        run: env.http({
          url: path.url,
          requests: async () => {
            const headers = await path.headers();
            return path.customerIds.map((id) => ({
              method: "POST",
              path: `${PROFILES}/${id}/documents/upload-link`,
              headers,
              body: A_LINK,
            }));
          },
        }),
      },
      floors: [{ ...BARE, run: (window) => runInFlight(window, linkOnce) }],
    };
  },
};

/** All services between a partner and a confirmed document as processes, with customers to upload for. */
async function openDocumentPath(env: BenchEnv) {
  const { url } = await env.startService("gateway", { settings: QUIET });
  const settings = { ...QUIET, ...NO_LOOKS, PBO_BASE_URL: url };
  for (const name of ["auth-token", "profile", "document"] as const)
    await env.startService(name, { settings });
  const { headers } = await admitPartner(env, url);
  const createOne = async (): Promise<string> => {
    const answer = await postJson<{ customerId: string }>(url + PROFILES, await headers(), aSmallProfile());
    return answer.customerId;
  };
  return { url, headers, customerIds: await Promise.all(Array.from({ length: CUSTOMERS }, createOne)) };
}

/** Floor: links signed by the library of the storage, each with its record. */
async function openBareLoop({ servers, namespace, onClose }: BenchEnv, Bucket: string) {
  const { endpoint, region, ...credentials } = servers.s3;
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  onClose(() => client.destroy());
  const mongo = await mongoose.mongo.MongoClient.connect(servers.mongodbUri, {
    writeConcern: { w: "majority", journal: true },
  });
  onClose(() => mongo.close());
  const collection = mongo.db(databaseName(namespace, "bare")).collection<{ _id: string }>("documents");
  const signing = { expiresIn: LINK_SECONDS, signableHeaders: new Set(["content-type", "host"]) };
  return async () => {
    const record = { ...aDocument(), _id: randomUUID() as string };
    const { objectKey: Key, contentType: ContentType } = record;
    await getSignedUrl(client, new PutObjectCommand({ Bucket, Key, ContentType }), signing);
    await collection.insertOne(record);
  };
}
