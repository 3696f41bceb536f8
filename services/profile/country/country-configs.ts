/** The country configuration in memory: read at the start, every few seconds, and after an operator's change. */

import { type Clock, isoTime } from "../../../shared/clock.ts";
import type { CountryConfig } from "../../../shared/contract/answers/country.ts";
import { AppError } from "../../../shared/errors.ts";
import type { Lanes } from "../../../shared/lanes.ts";
import { createPollLoop } from "../../../shared/poll-loop.ts";
import type { Logger } from "../../../shared/telemetry/logger.ts";
import type { ConfigChange } from "./config-input.rules.ts";
import type { CountryConfigRepository } from "./country-config.repository.ts";
import { configOfSeed } from "./country-config.rules.ts";
import { COUNTRY_SEED } from "./country-config.seed.ts";
import { type CountryDirectory, countryDirectory, EMPTY_DIRECTORY } from "./country-directory.rules.ts";

type Deps = {
  repository: CountryConfigRepository;
  clock: Clock;
  logger: Logger;
  lanes: Pick<Lanes, "lane">;
  changed(): void;
};

const REFRESH_MS = 5_000;

export function createCountryConfigs({ repository, clock, logger, lanes, changed }: Deps) {
  let directory: CountryDirectory = EMPTY_DIRECTORY;
  const now = () => isoTime(clock);

  async function load(): Promise<void> {
    directory = countryDirectory(await repository.all(), clock.now);
  }

  const refresh = createPollLoop({
    lane: lanes.lane("country refresh"),
    round: load,
    everyMs: REFRESH_MS,
    onError: (err) => logger.warn({ err }, "country_config.refresh_failed"),
  });

  /** Adds a version; fields that the change omits stay as they were. */
  async function change(countryCode: string, wanted: ConfigChange, who: string): Promise<CountryConfig> {
    // Versions are sorted from the highest.
    const latest = (await repository.all()).find((config) => config.countryCode === countryCode);
    const documents = wanted.documents ?? latest?.documents;
    if (!documents)
      throw new AppError("OnboardingConfig.NotFound", `${countryCode} has no configuration.`, {}, 404);
    const config: CountryConfig = {
      countryCode,
      version: (latest?.version ?? 0) + 1,
      active: wanted.active ?? latest?.active ?? true,
      validFrom: wanted.validFrom ?? now(),
      validTo: wanted.validTo ?? null,
      documents,
      changedBy: who,
      changedAt: now(),
      reason: wanted.reason,
    };
    if (!(await repository.add(config)))
      throw new AppError(
        "OnboardingConfig.Conflict",
        "Another operator changed this country at the same time. Reload it and try again.",
      );
    await load();
    changed();
    logger.info({ countryCode, version: config.version, active: config.active }, "country_config.changed");
    return config;
  }

  return {
    directory: () => directory,
    load,
    async start() {
      const at = now();
      await repository.seed(
        Object.entries(COUNTRY_SEED).map(([code, documents]) => configOfSeed(code, documents, at)),
      );
      await load();
      refresh.start(REFRESH_MS);
    },
    stop: refresh.stop,
    list: repository.all,
    change,
  };
}
