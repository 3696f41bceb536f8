/** Upload links over HTTP, with every check and a durable record, beside a loop that only signs and inserts. */
import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { databaseName } from "../../../shared/mongo/mongo.ts";
import { aDocument } from "../../support/builders/a-document.ts";
import type { BenchEnv } from "../frame/env.ts";
import { runInFlight } from "../frame/in-flight.ts";
import type { BenchSpec, FloorFacts } from "../frame/spec.ts";
import { openSigner } from "./bare-storage.ts";
import { A_LINK, linkPath, openDocumentPath } from "./document-path.ts";

/** Nothing is uploaded here; how files that come without a notice are found is another row. */
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
    const path = await openDocumentPath(env, NO_LOOKS);
    const linkOnce = await openBareLoop(env, path.bucket);
    return {
      workload: {
        name: "gateway, profile and document service",
        run: env.http({
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
      },
      floors: [{ ...BARE, run: (window) => runInFlight(window, linkOnce) }],
    };
  },
};

async function openBareLoop(env: BenchEnv, bucket: string) {
  const signer = openSigner(env, bucket);
  const mongo = await mongoose.mongo.MongoClient.connect(env.servers.mongodbUri, {
    writeConcern: { w: "majority", journal: true },
  });
  env.onClose(() => mongo.close());
  const collection = mongo.db(databaseName(env.namespace, "bare")).collection<{ _id: string }>("documents");
  return async () => {
    const record = { ...aDocument(), _id: randomUUID() as string };
    await signer.sign(record);
    await collection.insertOne(record);
  };
}
