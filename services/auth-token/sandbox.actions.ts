/** An Owner reads and opens the partner's sandbox. */
import type { SandboxView } from "../../shared/contract/answers/credential.ts";
import { partnerOf } from "../../shared/identity/caller.ts";
import { type Actions, published } from "../../shared/moleculer/typed-actions.ts";
import { createSandbox, findSandbox } from "./account/create-sandbox.ts";
import type { Partner } from "./account/partner.model.ts";
import type { Deps } from "./deps.ts";

export function sandboxActions(deps: Deps) {
  const { audit, partners } = deps;
  return {
    describeSandbox: published(async ({ meta }) => sandboxView(await findSandbox(deps, partnerOf(meta)))),
    openSandbox: published(({ meta }) => {
      const partnerId = partnerOf(meta);
      return audit.change(meta, async () => {
        const before = await partners.findSandboxOf(partnerId);
        const value = sandboxView(await createSandbox(deps, partnerId));
        const fact = {
          action: "sandbox.opened",
          partnerId,
          subject: value.partnerId,
          before: null,
          after: value,
        };
        return { value, fact: before ? null : fact };
      });
    }),
  } satisfies Partial<Actions<"auth-token">>;
}

const sandboxView = ({ _id, name, clientId, active, createdAt }: Partner): SandboxView => ({
  partnerId: _id,
  name,
  clientId,
  active,
  createdAt: createdAt.toISOString(),
});
