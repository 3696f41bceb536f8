/** Jest's transform, used for coverage only: types become blanks, as in every process of ours. */
import { stripTypeScriptTypes } from "node:module";

export default {
  process: (source: string) => ({ code: stripTypeScriptTypes(source) }),
};
