/** Builds the dashboard: one script and one stylesheet with hashed names, and the page that names them. */
import { basename, join } from "node:path";
import { type BuildOptions, type BuildResult, build, context, type Plugin, stop } from "esbuild";
import { projectDir } from "../lib/paths.ts";
import { writeFolder } from "./write-folder.ts";

const source = join(projectDir, "gateway", "dashboard");

export async function buildDashboard(): Promise<void> {
  await build(options());
  // The process of esbuild would stay as long as this one.
  await stop();
}

/** Builds again whenever a source changes. */
export async function watchDashboard(): Promise<void> {
  const watching = await context(options());
  await watching.watch();
}

const options = (): BuildOptions => ({
  entryPoints: { app: join(source, "main.tsx"), style: join(source, "styles", "main.css") },
  outdir: source,
  write: false,
  entryNames: "[name]-[hash]",
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2023",
  jsx: "automatic",
  jsxImportSource: "preact",
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: projectDir,
  plugins: [page],
});

const page: Plugin = {
  name: "page",
  setup: (current) => current.onEnd((result) => writePage(result)),
};

async function writePage({ outputFiles = [], errors }: BuildResult): Promise<void> {
  if (errors.length > 0) return;
  const assets = outputFiles.map(({ path, contents }) => [`assets/${basename(path)}`, contents] as const);
  const addressOf = (ending: string) =>
    `/dashboard/${assets.map(([name]) => name).find((name) => name.endsWith(ending))}`;
  await writeFolder(
    "dashboard",
    new Map<string, string | Uint8Array>([
      ...assets,
      ["assets/boot.js", await bundledBoot()],
      ["index.html", pageOf(addressOf(".js"), addressOf(".css"))],
    ]),
  );
}

async function bundledBoot(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(source, "boot.ts")],
    bundle: true,
    write: false,
    minify: true,
    format: "iife",
  });
  return outputFiles[0]?.text ?? "";
}

const pageOf = (app: string, style: string): string => `<!doctype html>
<html lang="en" data-app="${app}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Partner onboarding</title>
<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='4' fill='%230f766e'/%3E%3Cpath d='M4 8.5l2.6 2.6L12 5.4' fill='none' stroke='white' stroke-width='2'/%3E%3C/svg%3E">
<link rel="stylesheet" href="${style}"><link rel="modulepreload" href="${app}">
<script src="/dashboard/assets/boot.js"></script>
</head>
<body><div id="app"></div><noscript>The dashboard needs JavaScript.</noscript></body>
</html>
`;
