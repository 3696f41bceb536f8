/** Whatever dies, whenever: nothing that was promised is lost. Long form: npm run test:nightly. */
import { afterAll } from "@jest/globals";
import { chaosPlatform } from "../support/stage/shared-platform.ts";
import "./webhooks.ts";
import "./replay-interrupted.ts";

afterAll(async () => (await chaosPlatform()).stop(), 120_000);
