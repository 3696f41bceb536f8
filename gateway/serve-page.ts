/** Serves the pages: the rows that the gateway answers itself. */
import { fileURLToPath } from "node:url";
import type { ServiceBroker } from "moleculer";
import { AppError } from "../shared/errors.ts";
import { sessionCookieName } from "../shared/identity/session-cookie.ts";
import type { Runtime } from "../shared/moleculer/runtime.ts";
import type { Gatekeeper } from "./admit/authenticate.ts";
import { BASE_URL_MARK, createBuiltFiles } from "./http/built-files.ts";
import { createNotificationReceiver } from "./http/notification-receiver.ts";
import { createSystemReadiness } from "./http/readiness.ts";
import { sendJson } from "./http/send-json.ts";
import type { Page } from "./route.ts";
import type { Serve } from "./serve-route.ts";

type Deps = {
  broker: ServiceBroker;
  runtime: Runtime;
  gatekeeper: Pick<Gatekeeper, "limit">;
  /** The folder that `npm run build` makes. */
  distDir?: string;
};

type Answer = (...given: [...Parameters<Serve>, page: Page]) => void | Promise<void>;

const DIST_DIR = fileURLToPath(new URL("./dist", import.meta.url));

export function createPageServer(deps: Deps): (page: Page) => Serve {
  const { broker, runtime, gatekeeper, distDir = DIST_DIR } = deps;
  const { config, health } = runtime;
  const built = createBuiltFiles(distDir, (text) =>
    text
      .replaceAll(BASE_URL_MARK, config.baseUrl)
      .replaceAll(sessionCookieName({ env: "local", baseUrl: BASE_URL_MARK }), sessionCookieName(config)),
  );
  const dashboardPolicy = dashboardPolicyOf(config.storageOrigin);
  const systemReadiness = createSystemReadiness(broker, health);

  const answers: Record<Page["page"], Answer> = {
    start: (_request, response) => void response.writeHead(302, { Location: "/dashboard" }).end(),
    dashboard: (request, response, { params: { file = "" } }) =>
      built.send(request, response, file.startsWith("assets/") ? `dashboard/${file}` : "dashboard", {
        "Content-Security-Policy": dashboardPolicy,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cache-Control": HASHED.test(file) ? IMMUTABLE : "no-cache",
      }),
    docs: (request, response, { params: { file } }) =>
      built.send(request, response, file ? `docs/${file}` : "docs", {
        ...SHORT_LIVED,
        "Content-Security-Policy": DOCS_POLICY,
      }),
    document: (request, response, _found, { path }) =>
      built.send(request, response, path.slice(1), SHORT_LIVED),
    alive: (_request, response) => sendJson(response, 200, { status: "ok" }),
    async ready(_request, response) {
      const readiness = await systemReadiness();
      sendJson(response, readiness.ready ? 200 : 503, readiness);
    },
    notification: createNotificationReceiver(broker, config),
    withdrawn(_request, _response, _found, { successor }) {
      throw new AppError("Route.Withdrawn", `This operation was withdrawn. Use ${successor}.`);
    },
  };

  return (page) => async (request, response, found) => {
    await gatekeeper.limit(page, null, request, response);
    await answers[page.page](request, response, found, page);
  };
}

/** The name of such a file changes with its content. */
const HASHED = /^assets\/\w+-[A-Z0-9]+\.\w+$/;
const IMMUTABLE = "public, max-age=31536000, immutable";
const SHORT_LIVED = { "Cache-Control": "public, max-age=300" };

/** The search fetches the other pages of the documentation. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

const dashboardPolicyOf = (storageOrigin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: blob: ${storageOrigin}`.trim(),
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
