/** Upload links over HTTP, with every check and a durable record, beside a loop that only signs and inserts. */
import { randomUUID } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import mongoose from "mongoose";
import { databaseName } from "../../../shared/mongo.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import type { BenchEnv } from "../frame/env.ts";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec } from "../frame/spec.ts";
import { A_LINK, type DocumentPath, linkPath, openDocumentPath } from "./document-path.ts";

const BARE = "bare loop: getSignedUrl + insertOne";

export const bench: BenchSpec = {
  name: "upload-link over HTTP",
  issue: 5,
  goals: [{ measure: "rate", against: BARE, atLeast: 0.5 }],
  async setup(env) {
    const path = await openDocumentPath(env);
    const bare = await openBareLoop(env, path);
    return {
      workload: env.httpWorkload("gateway, profile and document service", {
        url: path.url,
        requests: async () => {
          const headers = await path.headers();
          return path.customerIds.map((id) => ({
            method: "POST",
            path: linkPath(id),
            headers,
            body: A_LINK,
          }));
        },
      }),
      floors: [{ name: BARE, run: (window) => runInFlight(window, bare.linkOnce) }],
      teardown: bare.close,
    };
  },
};

/** The same write concern, record and signature; no HTTP, no caller, no customer. */
async function openBareLoop({ servers, namespace }: BenchEnv, { bucket }: DocumentPath) {
  const { endpoint, region, ...credentials } = servers.s3;
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
  });
  const mongo = await mongoose.mongo.MongoClient.connect(servers.mongodbUri, {
    writeConcern: { w: "majority", journal: true },
  });
  const collection = mongo.db(databaseName(namespace, "bare")).collection<{ _id: string }>("documents");
  return {
    async linkOnce() {
      const record = { ...aDocument(), _id: randomUUID() as string };
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: record.objectKey,
        ContentType: record.contentType,
      });
      await getSignedUrl(client, command, {
        expiresIn: 1_800,
        signableHeaders: new Set(["content-type", "host"]),
      });
      await collection.insertOne(record);
    },
    async close() {
      client.destroy();
      await mongo.close();
    },
  };
}
