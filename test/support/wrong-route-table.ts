/** Preloaded into a gateway process by a test: the route table gets one more row, which the test gives. */
import type { Route } from "../../gateway/route.ts";
import { ROUTES } from "../../gateway/routes.ts";
import { processEnv } from "../../shared/config/config.ts";

const row = JSON.parse(processEnv().PBO_TEST_WRONG_ROUTE ?? "{}") as Partial<Route>;
const [first] = ROUTES;
(ROUTES as Route[]).push({ ...first, ...row } as Route);
