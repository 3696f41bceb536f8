/** Mistakes that no caller could notice, by their place in the code: the function and the operator. */
import type { Mutant } from "./mutants.ts";

type Place = Pick<Mutant, "place" | "operator"> & { file: string };
type Explained = Place & { why: string };

/** File, function or constant, operator, and the reason. */
const TABLE = `
gateway/admit/authenticate.ts | createGatekeeper.refuse | spread | A refused caller's error has headers alone, and the next line gives them.
gateway/admit/session.ts | createSessionCheck.remember | literal | A set of ids: no code reads the value of an entry.
gateway/admit/bearer.ts | BEARER | regular expression | An empty token is refused with the same answer as a text that is no token.
gateway/admit/bearer.ts | createBearerCheck.verifiedToken | arguments | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/bearer.ts | createBearerCheck.verifiedToken | call left out | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/bearer.ts | createBearerCheck.verifiedToken | jump left out | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/bearer.ts | createBearerCheck.require | call left out | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/bearer.ts | createBearerCheck.mayBeGood.token | sign | No token of ours has the longest permitted length.
gateway/admit/bearer.rules.ts | readAccessToken | arguments | The text has passed a check for base64url, so each encoding gives the same bytes.
gateway/admit/bearer.rules.ts | readAccessToken | literal | The text has passed a check for base64url, so each encoding gives the same bytes.
gateway/admit/client-address.ts | createClientAddress.peerOf | condition | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/client-address.ts | createClientAddress.peerOf | call left out | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/client-address.ts | createClientAddress.peerOf | jump left out | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/trust.ts | createTrust.ask | arguments | A cache: without this entry the value is made again, and the answer is the same.
gateway/admit/trust.ts | createTrust.askSoon | literal | A millisecond more or less between two questions.
gateway/admit/trust.ts | createTrust.askSoon | sign | A millisecond more or less between two questions.
services/auth-token/token/assertion.rules.ts | decodeAssertion | arguments | The text has passed a check for base64url, so each encoding gives the same bytes.
services/auth-token/token/assertion.rules.ts | decodeAssertion | literal | The text has passed a check for base64url, so each encoding gives the same bytes.
services/delivery/send/send-attempt.ts | createSender.isBusy | sign | Two readings of the clock never differ by the bound to the last digit.
services/delivery/send/sender-exchange.ts | Exchange.end | condition | A promise settles once: a second end changes nothing.
services/document/file/examine-file.ts | readThrough | field | A refused file has no digest: none and an empty digest both differ from the ETag.
services/profile/change/profile-update.rules.ts | changedFields | arguments | The comparison of two values is symmetric.
services/profile/change/kept-answer.ts | isRefusal | literal | A 500 that looks its key up first is thrown all the same.
services/profile/change/store-profile.ts | PassingFault.name | literal | The class decides; the name is for a reader of the log.
shared/process/lifecycle.ts | stopOnSignals.stop | call left out | The process exits by process.exit, whether a timer is left or not.
shared/sealing/field-cipher.ts | createFieldCipher.seal.sealed | arguments | UTF-8 is the default of a cipher's text.
shared/sealing/field-key-sweep.ts | moveBatch.where | field | A field of a log line.
shared/sealing/field-key-sweep.ts | moveBatch.done | field | Each round sets the count before it is read.
`;

export const EXPLAINED: readonly Explained[] = TABLE.trim()
  .split("\n")
  .map((row) => {
    const [file = "", place = "", operator = "", why = ""] = row.split(" | ");
    return { file, place, operator, why };
  });

export const explanationOf = ({ file, place, operator }: Place): string | undefined =>
  EXPLAINED.find((one) => one.file === file && one.place === place && one.operator === operator)?.why;
