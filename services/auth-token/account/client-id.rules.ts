/** Makes the client id of a partner: readable, unique by the partner id, and permanent. */
const SLUG_LENGTH = 40;
const ID_LENGTH = 12;

export function clientIdFor(businessName: string, partnerId: string): string {
  const slug = businessName
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+/g, "")
    .slice(0, SLUG_LENGTH)
    .replaceAll(/-+$/g, "");
  return `${slug || "partner"}-${partnerId.replaceAll("-", "").slice(0, ID_LENGTH)}`;
}
