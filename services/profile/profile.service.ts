/** Business customers with their people, the review of them, and the rules of each country. */
import { createFieldCipher } from "../../shared/field-cipher.ts";
import { STREAMS } from "../../shared/jetstream/streams.ts";
import { defineService } from "../../shared/moleculer/service.ts";
import { createOutbox, type Outbox } from "../../shared/outbox/outbox.ts";
import { caseActions } from "./case.actions.ts";
import { createTurns } from "./change/turns.ts";
import { configActions } from "./config.actions.ts";
import { countryConfigRepository } from "./country/country-config.repository.ts";
import { createCountryConfigs } from "./country/country-configs.ts";
import type { Parts } from "./deps.ts";
import { internalActions } from "./internal.actions.ts";
import { partnerActions } from "./partner.actions.ts";
import { profileRepository } from "./record/profile.repository.ts";
import type { DocumentSummary } from "./record/profile.types.ts";

/** Told to every instance when an operator changed a country. */
const CONFIG_CHANGED = "country-config.changed";

export default defineService("profile", (runtime, broker) => {
  const { config, clock, logger, mongo } = runtime;
  const profiles = profileRepository(mongo.connection);
  const configs = countryConfigRepository(mongo.connection);
  const outbox: Outbox = createOutbox({
    ...runtime,
    source: "profile",
    collection: profiles.collection as never,
  });
  const parts: Parts = {
    profiles,
    countries: createCountryConfigs({
      repository: configs,
      clock,
      logger,
      changed: () => void broker.broadcast(CONFIG_CHANGED),
    }),
    cipher: createFieldCipher(config.fieldKeys),
    clock,
    logger,
    outbox,
    turns: createTurns(),
    async confirmDocuments(customer, documentIds, meta) {
      const params = { ...customer, documentIds };
      return (await broker.call("document.confirmForCustomer", params, { meta })) as DocumentSummary[];
    },
  };

  return {
    actions: {
      ...partnerActions(parts, runtime),
      ...caseActions(parts),
      ...configActions(parts),
      ...internalActions(parts),
    },
    events: { [CONFIG_CHANGED]: () => parts.countries.load() },
    streams: [STREAMS.EVENTS],
    async ensureIndexes() {
      await Promise.all([profiles.ensureIndexes(), configs.ensureIndexes(), outbox.ensureIndexes()]);
    },
    async start() {
      await parts.countries.start();
      outbox.start();
    },
    async stop() {
      parts.countries.stop();
      await outbox.stop();
    },
  };
});
