/** From the end of an upload to its event where storage tells nobody: the sweep alone, set as compose and the guide have it. */
import type { BenchSpec } from "../frame/spec.ts";
import { openNotices } from "./bare-storage.ts";
import { openDocumentPath } from "./document-path.ts";
import { bareUploads, linksOf, listen, uploadAll } from "./uploads.ts";

const LOOKS = { PBO_DOCUMENT_FIRST_LOOK_MS: "2000", PBO_DOCUMENT_LOOK_MS: "3000" };

export const bench: BenchSpec = {
  name: "arrival to event without notices, files of 100 kB",
  issue: 15,
  concurrency: 25,
  async setup(env) {
    // Its notices go to the floor alone.
    const notices = await openNotices(env);
    const path = await openDocumentPath(env, { ...LOOKS, PBO_S3_BUCKET: notices.bucket });
    const heardOf = await listen(env);
    return {
      workload: {
        name: "upload ended to event published, found by the sweep",
        run: async (window) => uploadAll(await linksOf(path), heardOf, window),
      },
      floors: [bareUploads(env, notices)],
    };
  },
};
