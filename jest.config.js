/** Jest: one project for each kind of test; those that need servers share one set of them. */
const RULES = "{services,gateway,shared}/**/*.rules.ts";

const common = {
  rootDir: ".",
  runtime: "<rootDir>/test/support/jest/native-runtime.ts",
  testEnvironment: "<rootDir>/test/support/jest/native-environment.ts",
  transform: { "\\.ts$": "<rootDir>/test/support/jest/strip-types.ts" },
};

const project = (name, extra = {}) => ({
  ...common,
  displayName: name,
  testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
  ...extra,
});

const servers = {
  globalSetup: "<rootDir>/test/support/servers/global-setup.ts",
  globalTeardown: "<rootDir>/test/support/servers/global-teardown.ts",
};

export default {
  projects: [
    project("unit"),
    project("contract"),
    project("manifests"),
    project("integration", servers),
    project("e2e", servers),
    project("chaos", servers),
    project("browser", servers),
  ],
  // With --coverage: every rules file must be tested by the projects that need no server.
  coverageProvider: "babel",
  collectCoverageFrom: [RULES],
  coverageThreshold: { [RULES]: { branches: 95 } },
  coverageReporters: ["text-summary"],
  // Only ends what hangs: a machine that others share may be ten times slower than itself.
  testTimeout: 600_000,
  reporters: ["<rootDir>/test/support/jest/skipped-report.ts", "default"],
  testSequencer: "<rootDir>/test/support/jest/heavy-first.ts",
  // The flags of Node (package.json) go to the workers as well: without threads that compile and collect beside seven of
  // them, and with room for young objects, the same tests take a seventh less of two cores.
  // Half of every suite is waiting for servers: on two cores five of them leave a tenth of the time unused, seven next to
  // nothing. Jest would take one worker.
  maxWorkers: 7,
  // Seven large heaps that are released at once take longer than Jest's half second, which it then calls a leak.
  workerGracefulExitTimeout: 10_000,
};
