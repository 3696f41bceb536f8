/** The layer rules of ARCHITECTURE.md; test/contract/layers.test.ts runs them. */
const only = (name, comment, packages, allowed) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^(services|gateway|shared|moleculer\\.config)", pathNot: allowed },
  to: { path: packages.map((p) => `node_modules/${p}/`) },
});

/**
 * Each room of a folder names the rooms (or files beside them) that it may use; files beside the rooms that are not
 * named may use all. A room that is not in the table may use none.
 */
const rooms = (folder, table) => {
  const name = folder.replace("services/", "");
  const within = (names) => `^${folder}/(${names.join("|")})(/|\\.ts$)`;
  const rule = (from, to) => ({
    name: `rooms-of-${name}`,
    comment: `A room of ${name} uses only the rooms its row names.`,
    severity: "error",
    from,
    to: { path: `^${folder}/`, ...to },
  });
  const named = Object.keys(table);
  return [
    ...named.map((room) => rule({ path: within([room]) }, { pathNot: within([room, ...table[room]]) })),
    rule({ path: `^${folder}/[^/]+/`, pathNot: within(named) }, {}),
  ];
};

const gatewayRoom = (room, comment, others) => ({
  name: `gateway-${room}`,
  comment,
  severity: "error",
  from: { path: `^gateway/${room}/` },
  to: { path: "^gateway/", pathNot: `^gateway/(${room}/|(${others})\\.ts$)` },
});

/** The tool-box: every file beside the rooms of shared, but for those with a row of their own. */
const TOOLS = "(?!.*/)[^/]+";

export default {
  forbidden: [
    ...rooms("shared", {
      [TOOLS]: ["contract/(error-codes|durations)"],
      config: [],
      input: [TOOLS, "contract/error-codes"],
      webhook: [TOOLS],
      identity: [TOOLS, "config"],
      telemetry: [TOOLS, "config"],
      sealing: ["contract", "config", "telemetry"],
      mongo: [TOOLS, "config", "telemetry"],
      process: [TOOLS, "config", "telemetry"],
      jetstream: [TOOLS, "config", "telemetry", "mongo"],
      outbox: [TOOLS, "config", "telemetry", "contract", "jetstream"],
      partitions: [TOOLS, "mongo", "telemetry"],
      // Of the others it uses types only.
      contract: [TOOLS, "config", "sealing/field-cipher", "identity", "moleculer/(http-params|grouped-call)"],
      stores: [TOOLS, "contract", "config", "identity", "mongo"],
      moleculer: [TOOLS, "contract", "config", "identity", "jetstream", "mongo", "process", "telemetry"],
    }),
    ...rooms("services/profile", {
      record: ["collections"],
      country: ["collections", "record", "deps"],
      input: ["record", "country"],
      read: ["record", "deps"],
      change: ["record", "input", "read", "country", "deps"],
      review: ["record", "input", "read", "change", "deps"],
      upkeep: ["record", "read", "change", "deps"],
    }),
    ...rooms("services/document", {
      storage: ["link.rules", "file/file.rules"],
      file: ["document.rules", "storage"],
    }),
    ...rooms("services/auth-token", {
      account: ["collections", "deps"],
      credential: ["collections", "account", "deps"],
      session: ["collections", "account", "deps"],
      token: ["collections", "account", "credential", "deps"],
      "request-log": ["collections"],
    }),
    ...rooms("services/delivery", {
      records: ["collections"],
      send: ["records"],
      endpoint: ["collections", "records"],
      excerpt: ["collections", "records"],
      history: ["collections", "records", "excerpt"],
      intake: ["records", "endpoint"],
      due: ["records", "endpoint"],
      attempt: ["records", "endpoint", "excerpt", "send"],
      replay: ["collections", "records", "endpoint", "history"],
    }),
    {
      name: "services-apart",
      comment: "A service is reached by action name or by event, never by import.",
      severity: "error",
      from: { path: "^services/([^/]+)/" },
      to: { path: "^services/([^/]+)/", pathNot: "^services/$1/" },
    },
    {
      name: "services-know-no-gateway",
      comment: "A service does not know how it is reached from outside.",
      severity: "error",
      from: { path: "^(services|shared)/" },
      to: { path: "^(gateway|deploy|test)/" },
    },
    {
      name: "gateway-loads-no-database",
      comment: "It has none; loading the driver would be a third of its start.",
      severity: "error",
      from: { path: "^(gateway/api\\.service|moleculer\\.config)\\.ts$" },
      to: { path: "node_modules/(mongoose|mongodb)/", reachable: true },
    },
    {
      name: "gateway-knows-only-schemas",
      comment:
        "The gateway holds no business rule; it may read the schemas of requests, for the API document.",
      severity: "error",
      from: { path: "^gateway/", pathNot: "^gateway/dashboard/" },
      to: { path: "^services/", pathNot: "\\.schemas\\.ts$" },
    },
    {
      name: "dashboard-knows-types-only",
      comment: "The dashboard runs in browsers; of the rest it may know the types of answers.",
      severity: "error",
      from: { path: "^gateway/dashboard/" },
      to: {
        path: "^(gateway|services|shared|deploy|test)/",
        pathNot: "^gateway/dashboard/",
        dependencyTypesNot: ["type-only"],
      },
    },
    {
      name: "nobody-uses-the-dashboard",
      comment: "The gateway serves what was built of it.",
      severity: "error",
      from: { path: "^(gateway|services|shared|deploy)/", pathNot: "^gateway/dashboard/" },
      to: { path: "^gateway/dashboard/" },
    },
    {
      name: "docs-are-built",
      comment: "The image does not hold what /docs is made of.",
      severity: "error",
      from: { path: "^(gateway|services|shared)/", pathNot: "^gateway/openapi/pages/" },
      to: { path: "^gateway/openapi/pages/" },
    },
    gatewayRoom("admit", "Knows the request and its row, not the answer.", "http/edge-request|route"),
    gatewayRoom("http", "Knows no caller and no documentation.", "route"),
    gatewayRoom("openapi", "Describes the table, serves nothing.", "http/edge-request|http/envelope|routes?"),
    {
      name: "gateway-table-is-data",
      comment: "The route table says what is served; the rooms read it, it uses none of them.",
      severity: "error",
      from: { path: "^gateway/(route|routes|row-builders|withdrawn)\\.ts$" },
      to: { path: ["^gateway/[^/]+/", "^gateway/(api\\.service|router|serve-page|serve-route)\\.ts$"] },
    },
    {
      name: "schemas-in-the-api-document",
      comment: "Only the API document loads the schemas of requests and answers.",
      severity: "error",
      from: { path: "^gateway/", pathNot: "^gateway/(openapi|dashboard)/" },
      to: { path: "^(services|shared/contract/answers)/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "shared-holds-no-domain",
      comment: "Shared code serves every service and knows none.",
      severity: "error",
      from: { path: "^shared/" },
      to: { path: "^services/" },
    },
    {
      name: "rules-are-pure",
      comment: "Rules and schemas do no I/O, so that tables and properties can test them.",
      severity: "error",
      from: { path: "\\.(rules|schemas)\\.ts$" },
      to: {
        path: [
          "node_modules/(nats|mongoose|mongodb|undici|moleculer|moleculer-web|pino|@aws-sdk)/",
          "^(node:)?(fs|net|tls|http|https|dns|child_process|worker_threads)",
          "^shared/(jetstream/(?!streams)|mongo/|outbox/(?!outbox.rules)|moleculer/(?!grouped-call|http-params))",
        ],
      },
    },
    only("nats-in-one-place", "JetStream is one port.", ["nats"], "^shared/(jetstream/|moleculer/nats-)"),
    only(
      "mongoose-in-models",
      "Only models and repositories query.",
      ["mongoose", "mongodb"],
      "^shared/(mongo/|outbox/|jetstream/dead-letters)|\\.(model|repository)\\.ts$",
    ),
    only("undici-in-the-sender", "Only the sender calls strangers.", ["undici"], "^services/delivery/send"),
    only(
      "s3-in-one-place",
      "Storage is one port.",
      ["@aws-sdk/client-s3", "@aws-sdk/s3-request-presigner"],
      "^services/document/storage/",
    ),
    {
      name: "tests-stay-outside",
      comment:
        "Production code uses no development package. The dashboard and /docs are built before the image is.",
      severity: "error",
      from: { path: "^(services|gateway|shared)/", pathNot: "^gateway/(dashboard|openapi/pages)/" },
      to: { dependencyTypes: ["npm-dev"] },
    },
    {
      name: "no-cycles",
      comment: "Files that need each other, be it for a type, are one file.",
      severity: "error",
      from: { path: "^(services|gateway|shared)/" },
      to: { circular: true },
    },
  ],
  options: {
    parser: "swc",
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(node_modules/.cache|\\.local)" },
    enhancedResolveOptions: {
      conditionNames: ["import", "require", "node", "default"],
      exportsFields: ["exports"],
    },
  },
};
