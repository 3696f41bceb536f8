/** Jest's transform: the types become blanks, as in every process of ours; it is used for coverage only. */
import { stripTypeScriptTypes } from "node:module";

export default {
  process: (source: string) => ({ code: stripTypeScriptTypes(source) }),
};
