/** The API documents and the documentation site, made by a thread of its own. */
import { Worker } from "node:worker_threads";
import type { MadeFile } from "./documents.worker.ts";

export const makeDocuments = (baseUrl: string): Promise<readonly MadeFile[]> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(new URL("./documents.worker.ts", import.meta.url), { workerData: { baseUrl } });
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The documents were not made: exit ${code}.`)));
  });
