/** What the repositories ask the database for, command by command. */

import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { endpointTimesRepository } from "../../../../services/delivery/endpoint/endpoint-times.repository.ts";
import { historyRepository } from "../../../../services/delivery/history/history.repository.ts";
import { ALL_EVENT_TYPES, parseHistoryQuery } from "../../../../services/delivery/history/history.rules.ts";
import { skippedRepository } from "../../../../services/delivery/history/skipped.repository.ts";
import { statisticsRepository } from "../../../../services/delivery/history/statistics.repository.ts";
import { deliveryRepository } from "../../../../services/delivery/records/delivery.repository.ts";
import { eventRepository } from "../../../../services/delivery/records/event.repository.ts";
import { replayRepository } from "../../../../services/delivery/replay/replay.repository.ts";
import { DELIVERY_STATUSES } from "../../../../shared/contract/actions/delivery.ts";
import type { Mongo } from "../../../../shared/mongo/mongo.ts";
import { commandsOf } from "../../../support/stage/database-commands.ts";
import { aDelivery, aJob, at, NOW, openRecords, storeIn } from "./records.ts";

let mongo: Mongo;
beforeAll(async () => {
  mongo = await openRecords();
  await storeIn(mongo, [aDelivery({}), aDelivery({})]);
});
afterAll(() => mongo.close());

describe("what the database is asked for", () => {
  const events = () => eventRepository(mongo.connection);
  const deliveries = () => deliveryRepository(mongo.connection);
  const history = () => historyRepository(mongo.connection);
  const replays = () => replayRepository(mongo.connection);
  const SNAPSHOT = { readConcern: { level: "snapshot" } };
  const SORTED = { sort: { occurredAt: -1, _id: -1 } };
  const TYPES = { eventType: { $in: [...ALL_EVENT_TYPES] } };
  const whole = parseHistoryQuery({});
  const page = (skip: number) => history().page("p", whole, { skip, after: null }, 2);
  const someOf = (...asked: object[]) =>
    expect.arrayContaining(asked.map((each) => expect.objectContaining(each))) as unknown as object[];
  const givenUp = expect.objectContaining({ counted: { $in: [true, false] }, ...TYPES });

  test.each<[string, () => Promise<unknown>, object[]]>([
    [
      "a first page",
      () => page(0),
      [{ find: "deliveries", hint: "history", projection: { attempts: 0 }, ...SNAPSHOT, ...SORTED }],
    ],
    [
      "a later page: keys, then its documents as they were at the same time",
      () => page(1),
      [
        { skip: 1, limit: 2, hint: "history", projection: { _id: 1 }, ...SNAPSHOT, ...SORTED },
        {
          filter: { _id: { $in: expect.anything() }, partnerId: "p" },
          readConcern: { level: "snapshot", atClusterTime: expect.anything() },
        },
      ],
    ],
    ["a page beyond the last: keys alone", () => page(2), [{ skip: 2, hint: "history" }]],
    [
      "a total, of the tallies too",
      () => history().total("p", whole),
      [{ aggregate: "deliveries", ...SNAPSHOT, pipeline: someOf({ $unionWith: expect.anything() }) }],
    ],
    [
      "a total that no tally knows",
      () => history().total("p", { ...whole, customerId: "c" }),
      [{ aggregate: "deliveries", hint: "customer" }],
    ],
    [
      "what was skipped, by the index of the history",
      () => skippedRepository(mongo.connection).since("p", at(0)),
      someOf(
        { find: "deliveries", filter: givenUp, projection: { occurredAt: 1 } },
        { find: "events", projection: { occurredAt: 1 } },
      ),
    ],
    [
      "counts by hour",
      () =>
        statisticsRepository(mongo.connection).count("p", { interval: "hour", from: at(0), before: at(1) }),
      [
        {
          ...{ hint: "history", ...SNAPSHOT },
          pipeline: [
            { $match: { status: { $in: [...DELIVERY_STATUSES] }, ...TYPES } },
            ...[{}, {}],
            { $unionWith: { pipeline: [{}, { $project: { _id: 0, at: 1, counts: 1 } }] } },
          ],
        },
      ],
    ],
    [
      "put off",
      () => deliveries().putOffDue("none", NOW, NOW),
      [{ updates: [{ hint: "waiting", multi: true }] }],
    ],
    ["how many wait", () => deliveries().countWaiting("p", "none", 9), [{ hint: "waiting" }]],
    [
      "whose queue",
      () => deliveries().partnerOf("none"),
      [{ hint: "waiting", projection: { partnerId: 1 } }],
    ],
    ["nothing to pull forward", () => deliveries().pullForward(["none"], NOW, 9), [{ find: "deliveries" }]],
    ["nothing to give up", () => deliveries().giveUp(["none"], NOW, 9, []), [{ find: "deliveries" }]],
    [
      "the heads of queues",
      () => deliveries().queueHeads([99]),
      [{ pipeline: [{}, { $sort: { queue: 1, claimableAt: 1 } }, {}] }],
    ],
    ["routes", () => events().routes([]), [{ projection: { endpointId: 1 } }]],
    [
      "partners with events that were sent nowhere",
      () => events().unroutedPartners(),
      [{ hint: "unrouted", pipeline: [{ $match: { endpointId: null, partnerId: { $gt: "" } } }, {}] }],
    ],
    [
      "events that were sent nowhere",
      () => events().unrouted("p", { from: at(0), before: at(1) }, 9),
      [{ hint: "unrouted", sort: { recordedAt: 1 } }],
    ],
    [
      "the feed",
      () => events().feed("p", { at: { t: 1, i: 1 }, id: "" }, 0, 9),
      [{ hint: "order", sort: { feedAt: 1, _id: 1 } }],
    ],
    [
      "endpoint times, each whatever becomes of the others",
      () =>
        endpointTimesRepository(mongo.connection).store(
          new Map([["x", { lastSuccessAt: at(0), lastFailureAt: at(0) }]]),
        ),
      [{ update: "endpoint_times", ordered: false }],
    ],
    ["a replay to work on", () => replays().claim("me", 0, 1), [{ sort: { claimableAt: 1 } }]],
    [
      "a stop, in the transaction of its audit",
      () => mongo.connection.transaction((session) => replays().stop("none", NOW, session)),
      [{ update: "replay_jobs", autocommit: false }, { commitTransaction: 1 }],
    ],
    [
      "how far a replay is",
      () => replays().progress({ _id: "none", partnerId: "p" }),
      [{ hint: "series" }, { hint: "series" }, { hint: "series" }],
    ],
    [
      "the events of a replay",
      () => replays().eventsAfter(aJob({}), null, 9),
      [{ sort: { occurredAt: 1, _id: 1 } }],
    ],
    [
      "deliveries before a replay, by the index of the history",
      () => replays().deliveriesOf(aJob({}), at(0), at(1)),
      [{ filter: { counted: { $in: [true, false] }, status: { $in: [...DELIVERY_STATUSES] } } }],
    ],
  ])("%s", async (_, act, asked) => {
    expect(await commandsOf(mongo, act)).toMatchObject(asked);
  });
});
