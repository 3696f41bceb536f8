/** Events at a steady pace for healthy partners and for bad ones, beside creates through the gateway. */
import { aProfile, aReference } from "../../support/builders/profile-builders.ts";
import type { DeliveryPath } from "../delivery/delivery-path.ts";
import { anEvent } from "../frame/an-event.ts";
import { postJson } from "../frame/partner.ts";
import { PROFILES, type ProfilePath } from "../profile/profile-path.ts";

const CREATES_PER_SECOND = 5;
const [HEALTHY, BAD] = [10, 50];
/** Every fifth event is for a bad partner: more than bad partners ever take. */
const ONE_BAD_OF = 5;
const STEP_MS = 100;

export async function startLoad(path: DeliveryPath, profiles: ProfilePath, eventsPerSecond: number) {
  const partners = async (count: number, url: (index: number) => string): Promise<string[]> => {
    const ids = [];
    for (let index = 0; index < count; index += 1) ids.push(await path.aPartner(url(index)));
    return ids;
  };
  const healthy = await partners(HEALTHY, () => path.receiver.url());
  const bad = await partners(BAD, (index) => path.receiver.url(`/${index % 2 ? "hang" : "fail"}/${index}`));
  await path.register(profiles.partnerId);
  const before = await path.receiver.count();
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1_000;
  const told = { events: 0, creates: 0, failed: 0 };
  const failed = () => {
    told.failed += 1;
  };

  const partnerOf = (event: number): string | undefined =>
    event % ONE_BAD_OF === 0 ? bad[(event / ONE_BAD_OF) % BAD] : healthy[event % HEALTHY];
  const create = async () => {
    const body = aProfile({ partnerCustomerId: aReference() });
    await postJson(profiles.url + PROFILES, await profiles.headers(), body);
  };
  const step = () => {
    const events = [];
    for (; told.events < seconds() * eventsPerSecond; told.events += 1)
      events.push(anEvent(partnerOf(told.events)));
    path.publish(events).catch(failed);
    for (; told.creates < seconds() * CREATES_PER_SECOND; told.creates += 1) create().catch(failed);
  };
  const timer = setInterval(step, STEP_MS);

  return {
    /** Says what was asked and what came of it. */
    async stop(): Promise<string> {
      clearInterval(timer);
      const [length, came] = [seconds(), (await path.receiver.count()) - before];
      const rate = (count: number) => (count / length).toFixed(0);
      return `${rate(told.events)} events/s and ${rate(told.creates)} creates/s, ${told.failed} failed; ${rate(came)} requests/s came to receivers, ${BAD} of ${HEALTHY + BAD + 1} bad`;
    },
  };
}
