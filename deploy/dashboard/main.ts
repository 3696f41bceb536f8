/** npm run build: the dashboard, for the image and for whoever wants its files. */
import { buildDashboard } from "./build.ts";

await buildDashboard();
