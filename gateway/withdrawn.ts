/** Operations of earlier versions of the contract: each answers 410 and names its successor. */
import type { Method, Page } from "./route.ts";
import { page } from "./row-builders.ts";

const API = "/api/partner/v1";
const PROFILES = `${API}/business-profiles`;
const PEOPLE = `businessPersonList of POST ${PROFILES} and PATCH ${PROFILES}/{customerId}`;
const REVIEW = `POST ${PROFILES}, which also queues the customer for review`;
const STATUS = `GET ${PROFILES}/{customerId}/verification-status`;
const REQUIREMENTS = "GET /api/customer/v1/onboarding/ubo-identity-requirements";
const UPLOAD_LINK = `POST ${PROFILES}/{customerId}/documents/upload-link`;
const DASHBOARD =
  "the dashboard routes under /api/customer/v1/partner-profile/webhooks, used by a signed-in person";

const withdrawn = (path: string, successor: string, ...methods: Method[]): Page[] =>
  methods.map((method) => page(path, "withdrawn", { method, successor }));

export const WITHDRAWN_ROUTES: readonly Page[] = [
  ...withdrawn("/api/auth/partner/v1/token", "POST /oauth2/token", "POST"),
  ...withdrawn(`${API}/eco-partner/:customerId`, `GET ${PROFILES}/{customerId}`, "GET"),
  ...withdrawn(`${PROFILES}/:customerId/ubos`, PEOPLE, "POST", "GET", "DELETE"),
  ...withdrawn(`${PROFILES}/:customerId/ubos/:uboId`, PEOPLE, "POST", "GET", "DELETE"),
  ...withdrawn(`${PROFILES}/:customerId/associate-ubo`, PEOPLE, "POST"),
  ...withdrawn(`${PROFILES}/:customerId/submit`, REVIEW, "POST"),
  ...withdrawn(`${PROFILES}/:customerId/onboarding-progress`, STATUS, "GET"),
  ...withdrawn(`${API}/onboarding-requirements`, REQUIREMENTS, "GET"),
  ...withdrawn(`${API}/documents/onboarding-upload-link`, UPLOAD_LINK, "POST"),
  ...withdrawn(`${API}/webhooks`, DASHBOARD, "POST", "GET", "PUT"),
  ...withdrawn(`${API}/webhooks/rotate-secret`, DASHBOARD, "POST"),
  ...withdrawn(`${API}/webhooks/deliveries`, DASHBOARD, "GET"),
  ...withdrawn(`${API}/webhooks/deliveries/:deliveryId`, DASHBOARD, "GET"),
  ...withdrawn(`${API}/webhooks/deliveries/:deliveryId/replay`, DASHBOARD, "POST"),
  ...withdrawn(`${API}/webhooks/replay`, DASHBOARD, "POST"),
];
