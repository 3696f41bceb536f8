/** What the database of this service went through, in order; a row that was released is not changed any more. */
import { indexesOf, type Migration } from "../../shared/mongo/run-migrations.ts";
import { outboxIndexOf } from "../../shared/outbox/outbox-store.ts";
import { auditTrailIndexes } from "../../shared/stores/audit-trail.repository.ts";
import { countryConfigModel } from "./country/country-config.model.ts";
import { profileModel } from "./record/profile.model.ts";

export const MIGRATIONS: readonly Migration[] = [
  {
    number: 1,
    name: "indexes",
    run: indexesOf(
      profileModel,
      (connection) => outboxIndexOf(profileModel(connection)),
      countryConfigModel,
      auditTrailIndexes,
    ),
  },
  { number: 2, name: "index of answered keys", run: indexesOf(profileModel) },
  { number: 3, name: "indexes of test customers", run: indexesOf(profileModel) },
  { number: 4, name: "indexes of cases by country and by who has them", run: indexesOf(profileModel) },
];
