/** Rules of passwords (ASVS 5, 6.2): long enough, not common, not made of public words. */
import { refusedField } from "./user.rules.ts";

const LENGTH = { min: 8, max: 256 };
const MIN_FACT_LENGTH = 4;

/** The password exactly as given, or an error that says what to change. */
export function checkPassword(
  value: unknown,
  knownFacts: readonly string[],
  commonPasswords: ReadonlySet<string>,
  /** Property of the body that has it. */
  field = "password",
): string {
  const problem =
    typeof value === "string" ? passwordProblem(value, knownFacts, commonPasswords) : "is missing";
  if (problem !== null) throw refusedField(field, `The password ${problem}.`);
  return value as string;
}

export function passwordProblem(
  password: string,
  knownFacts: readonly string[],
  commonPasswords: ReadonlySet<string>,
): string | null {
  const length = [...password].length;
  if (length < LENGTH.min || length > LENGTH.max)
    return `must have ${LENGTH.min} to ${LENGTH.max} characters`;
  const lower = password.toLowerCase();
  if (commonPasswords.has(lower)) return "is one of the most common ones";
  if (new Set(lower).size < 3) return "repeats the same characters";
  const facts = knownFacts.flatMap((fact) => [fact, ...fact.split("@", 1)]).map((fact) => fact.toLowerCase());
  // A short password around the email or the company name is what an attacker tries first.
  if (
    facts.some(
      (fact) =>
        fact.length >= MIN_FACT_LENGTH &&
        lower.replace(fact, "").length < MIN_FACT_LENGTH &&
        lower.includes(fact),
    )
  )
    return "is too close to the email or the partner's name";
  return null;
}
