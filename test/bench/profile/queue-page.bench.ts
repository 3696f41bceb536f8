/** What the dashboard asks for the analysts' queue: each tab with its counts, a later page, a country, a search. */
import { encodeCursor } from "../../../shared/input/time-pages.rules.ts";
import { fewAndMany } from "./few-and-many.ts";
import { analystSession, LIST_PAGE_GOAL } from "./person.ts";

const CASES = "/api/compliance/v1/cases";
const TABS = ["reviewStage=Queued", "mine=true", "reviewStage=AwaitingPartner", "reviewStage=Closed"];

export const bench = fewAndMany({
  name: "the dashboard's queue of cases",
  issue: 16,
  concurrency: 1,
  goal: LIST_PAGE_GOAL,
  headersOf: analystSession,
  pathsOf: ({ idAt, timeAt, reference }) => {
    const behind = encodeCursor({ at: new Date(timeAt(0.5)), id: idAt(0.5) });
    const lists = [
      ...TABS.map((tab) => `${tab}&cursor=`),
      `reviewStage=Queued&cursor=${behind}`,
      "reviewStage=Queued&country=NGA&cursor=",
      `search=${reference(5)}`,
    ];
    return lists.flatMap((query) => [`${CASES}?${query}`, `${CASES}/counts`]);
  },
});
