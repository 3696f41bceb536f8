/** Five generators: how each makes clients of both documents, how strictly they compile, and how the driver runs. */
import { copyFileSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { findProgram } from "../../deploy/local/servers/find-program.ts";
import { npmTools, pythonTools } from "../outside/tools.ts";

export const AUDIENCES = ["partner", "dashboard"] as const;
const VERSIONS = { java: "7.25.0", go: "v2.8.2" };

type Work = {
  /** It has both documents: partner.json and dashboard.json. */
  dir: string;
  run(program: string, ...args: string[]): Promise<string>;
};
/** Resolves to what the driver printed. */
export type Client = { tools(): string | null; use(work: Work, tools: string): Promise<string> };

const programs =
  (...names: string[]) =>
  () =>
    names.every((name) => findProgram(name, process.env.PATH)) ? "" : null;

const driver = (name: string) => join(import.meta.dirname, "drivers", name);

/** Its default for the type null is a class that it does not generate. */
const JAVA_NULL = ["--type-mappings", "null=Object"];
/** Both lints are about code that does not depend on the document. */
const JAVA_LINT = ["-Xlint:all,-serial,-deprecation", "-Werror"];

const java: Client = {
  tools: programs("java", "javac", "mvn"),
  async use({ dir, run }) {
    const artifact = `org.openapitools:openapi-generator-cli:${VERSIONS.java}`;
    await run("mvn", "-q", "dependency:copy", `-Dartifact=${artifact}`, `-DoutputDirectory=${dir}`);
    const jar = join(dir, `openapi-generator-cli-${VERSIONS.java}.jar`);
    const classPath = join(dir, "classpath.txt");
    for (const audience of AUDIENCES) {
      const target = ["-i", join(dir, `${audience}.json`), "-o", join(dir, audience)];
      await run(
        "java",
        "-jar",
        jar,
        "generate",
        "-g",
        "java",
        "--library",
        "native",
        ...JAVA_NULL,
        ...target,
      );
      const pom = join(dir, audience, "pom.xml");
      await run("mvn", "-q", "-f", pom, "dependency:build-classpath", `-Dmdep.outputFile=${classPath}`);
      const sources = globSync(join(dir, audience, "src/main/java/**/*.java"));
      if (audience === "partner") sources.push(driver("Driver.java"));
      const path = ["-cp", readFileSync(classPath, "utf8"), "-d", join(dir, audience, "out")];
      await run("javac", ...JAVA_LINT, ...path, ...sources);
    }
    return run("java", "-cp", `${join(dir, "partner/out")}:${readFileSync(classPath, "utf8")}`, "Driver");
  },
};

const python: Client = {
  tools: pythonTools,
  async use({ dir, run }, tools) {
    const inVenv = (program: string) => join(tools, "bin", program);
    // Its hooks call ruff of the same environment.
    const path = `PATH=${join(tools, "bin")}:${process.env.PATH}`;
    for (const audience of AUDIENCES) {
      const target = ["--meta", "none", "--output-path", join(dir, `${audience}_client`)];
      const document = ["--path", join(dir, `${audience}.json`)];
      await run("env", path, "openapi-python-client", "generate", ...document, ...target);
    }
    await run(inVenv("python"), "-W", "error", "-m", "compileall", "-q", dir);
    return run(inVenv("python"), "-W", "error", driver("driver.py"));
  },
};

const go: Client = {
  tools: programs("go"),
  async use({ dir, run }) {
    const generator = `github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@${VERSIONS.go}`;
    for (const audience of AUDIENCES) {
      mkdirSync(join(dir, audience));
      const target = ["-package", audience, "-o", join(dir, audience, "client.go")];
      await run(
        "go",
        "run",
        generator,
        "-generate",
        "types,client",
        ...target,
        join(dir, `${audience}.json`),
      );
    }
    copyFileSync(driver("driver.go"), join(dir, "main.go"));
    await run("go", "mod", "init", "generated");
    await run("go", "mod", "tidy");
    await run("go", "vet", "./...");
    return run("go", "run", ".");
  },
};

const TSCONFIG = {
  compilerOptions: {
    strict: true,
    noUncheckedIndexedAccess: true,
    module: "esnext",
    moduleResolution: "bundler",
    target: "es2023",
    lib: ["es2023", "dom", "dom.iterable"],
    types: [],
    allowImportingTsExtensions: true,
    noEmit: true,
  },
  include: ["**/*.ts"],
};

type TypeScript = {
  name: string;
  program: string;
  eventType: string;
  args(from: string, to: string): string[];
};

/** TypeScript 7 breaks both generators, so they come with the one that they support. */
const typescript = ({ name, program, args, eventType }: TypeScript): Client => ({
  tools: npmTools,
  async use({ dir, run }, tools) {
    const inTools = (file: string) => join(tools, "node_modules", file);
    symlinkSync(join(tools, "node_modules"), join(dir, "node_modules"));
    for (const audience of AUDIENCES)
      await run(
        process.execPath,
        inTools(program),
        ...args(join(dir, `${audience}.json`), join(dir, audience)),
      );
    for (const file of [`${name}.ts`, "class-of.ts"]) copyFileSync(driver(file), join(dir, file));
    writeFileSync(join(dir, "event.ts"), `export type WebhookEvent = ${eventType};`);
    writeFileSync(join(dir, "tsconfig.json"), JSON.stringify(TSCONFIG));
    await run(process.execPath, inTools("typescript/bin/tsc"), "-p", dir);
    const outfile = join(dir, "driver.mjs");
    const bundled = { bundle: true, platform: "node", format: "esm", outfile } as const;
    await build({ ...bundled, entryPoints: [join(dir, `${name}.ts`)], absWorkingDir: dir });
    return run(process.execPath, outfile);
  },
});

export const CLIENTS: Record<string, Client> = {
  "openapi-typescript": typescript({
    name: "openapi-fetch",
    program: "openapi-typescript/bin/cli.js",
    args: (from, to) => [from, "-o", `${to}.d.ts`],
    eventType: 'import("./partner.d.ts").components["schemas"]["WebhookEvent"]',
  }),
  "hey-api": typescript({
    name: "hey-api",
    program: "@hey-api/openapi-ts/bin/run.js",
    args: (from, to) => ["-i", from, "-o", to],
    eventType: 'import("./partner/index.ts").WebhookEvent',
  }),
  "openapi-python-client": python,
  "oapi-codegen": go,
  "openapi-generator java": java,
};
