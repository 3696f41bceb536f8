/** From the end of an upload to its event: notice, check, confirmation, the profile's write, the outbox. */
import type { BenchSpec } from "../frame/spec.ts";
import { openNotices } from "./bare-storage.ts";
import { openDocumentPath } from "./document-path.ts";
import { bareUploads, linksOf, listen, uploadAll } from "./uploads.ts";

export const bench: BenchSpec = {
  name: "arrival to event, files of 100 kB",
  issue: 5,
  concurrency: 4,
  async setup(env) {
    const path = await openDocumentPath(env);
    const heardOf = await listen(env);
    return {
      workload: {
        name: "upload ended to event published",
        run: async (window) => uploadAll(await linksOf(path), heardOf, window),
      },
      floors: [bareUploads(env, await openNotices(env))],
    };
  },
};
