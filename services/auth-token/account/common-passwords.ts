/** Reads the list of passwords that nobody may choose. */
import { readFileSync } from "node:fs";

/**
 * The 3,000 most common passwords that are long enough to be tried here, in lower case. The list is from
 * @zxcvbn-ts/language-common 4.1.3, MIT, (c) 2012-2016 Dan Wheeler and Dropbox, Inc., (c) 2021 @zxcvbn-ts.
 */
export const readCommonPasswords = (): ReadonlySet<string> =>
  new Set(
    readFileSync(new URL("./common-passwords.txt", import.meta.url), "utf8")
      .trim()
      .split("\n"),
  );
