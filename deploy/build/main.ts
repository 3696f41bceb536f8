/** npm run build: the dashboard, the documentation and the API documents, into gateway/dist. */
import { buildDashboard } from "./dashboard.ts";
import { buildDocuments } from "./documents.ts";

await Promise.all([buildDashboard(), buildDocuments()]);
