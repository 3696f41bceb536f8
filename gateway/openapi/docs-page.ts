/** The readable API page: Swagger UI from its npm package, served from this origin only. */
import { createReadStream } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { AppError } from "../../shared/errors.ts";
import type { EdgeRequest, EdgeResponse } from "../http/edge-request.ts";

const assets = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

const FILES: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=utf-8",
  "swagger-ui-bundle.js": "text/javascript; charset=utf-8",
  "favicon-32x32.png": "image/png",
};

const INDEX = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Partner Business Onboarding API</title>
<link rel="stylesheet" href="/docs/swagger-ui.css"><link rel="icon" href="/docs/favicon-32x32.png">
</head>
<body><div id="api"></div>
<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>
</body>
</html>
`;

const START = `SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#api", deepLinking: true, docExpansion: "list", defaultModelsExpandDepth: 0 });\n`;

/** Swagger UI sets style attributes; scripts come from this origin only. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'";

export function serveDocs(
  request: EdgeRequest,
  response: EdgeResponse,
  next: (error?: unknown) => void,
): void {
  const file = request.$params.params?.file ?? "";
  response.setHeader("Content-Security-Policy", POLICY);
  if (file === "") {
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.end(INDEX);
  } else if (file === "start.js") {
    response.setHeader("Content-Type", "text/javascript; charset=utf-8");
    response.end(START);
  } else if (Object.hasOwn(FILES, file)) {
    response.setHeader("Content-Type", FILES[file] ?? "");
    response.setHeader("Cache-Control", "public, max-age=3600");
    createReadStream(join(assets, file)).on("error", next).pipe(response);
  } else next(new AppError("Route.NotFound", "There is no such page."));
}
