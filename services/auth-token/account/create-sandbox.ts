/** The test twin of a partner: a partner of its own, with its own client and data. */
import { AppError } from "../../../shared/errors.ts";
import type { Deps } from "../deps.ts";
import { createPartner } from "./create-partner.ts";
import type { Partner } from "./partner.model.ts";

/** A repeated call answers the same twin. */
export async function createSandbox(deps: Deps, partnerId: string): Promise<Partner> {
  const known = await deps.partners.findSandboxOf(partnerId);
  if (known) return known;
  const live = await deps.partners.noteSandbox(partnerId, new Date(deps.clock.now()));
  if (!live) throw new AppError("Partner.NotFound", "There is no partner with this id.");
  if (live.testOf) throw new AppError("ValidationControl.Error", "A test partner has no sandbox of its own.");
  if (!live.active) throw new AppError("Partner.Inactive", "The partner is inactive; activate it first.");
  return createPartner(deps, { name: nameOf(live.name), approved: true }, partnerId);
}

export async function findSandbox({ partners }: Deps, partnerId: string): Promise<Partner> {
  const sandbox = await partners.findSandboxOf(partnerId);
  if (sandbox) return sandbox;
  throw new AppError("Sandbox.NotFound", "This partner has no sandbox yet: POST …/partner-profile/sandbox.");
}

const MAX_NAME = 255;
const SUFFIX = " (test)";
const nameOf = (live: string): string => live.slice(0, MAX_NAME - SUFFIX.length) + SUFFIX;
