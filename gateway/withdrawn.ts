/** Operations of earlier versions: they answer 410 and name what took their place. */
type WithdrawnRoute = { methods: readonly string[]; path: string; successor: string };

const profiles = "/api/partner/v1/business-profiles";
const peopleSuccessor = `businessPersonList of POST ${profiles} and PATCH ${profiles}/{customerId}`;
const webhookSuccessor =
  "the dashboard routes under /api/customer/v1/partner-profile/webhooks, used by a signed-in person";

export const WITHDRAWN_ROUTES: readonly WithdrawnRoute[] = [
  { methods: ["POST"], path: "/api/auth/partner/v1/token", successor: "POST /oauth2/token" },
  {
    methods: ["GET"],
    path: "/api/partner/v1/eco-partner/:customerId",
    successor: `GET ${profiles}/{customerId}`,
  },
  {
    methods: ["POST", "GET", "DELETE"],
    path: `${profiles}/:customerId/ubos`,
    successor: peopleSuccessor,
  },
  {
    methods: ["POST", "GET", "DELETE"],
    path: `${profiles}/:customerId/ubos/:uboId`,
    successor: peopleSuccessor,
  },
  {
    methods: ["POST"],
    path: `${profiles}/:customerId/associate-ubo`,
    successor: peopleSuccessor,
  },
  {
    methods: ["POST"],
    path: `${profiles}/:customerId/submit`,
    successor: `POST ${profiles}, which queues the customer for review by itself`,
  },
  {
    methods: ["GET"],
    path: `${profiles}/:customerId/onboarding-progress`,
    successor: `GET ${profiles}/{customerId}/verification-status`,
  },
  {
    methods: ["GET"],
    path: "/api/partner/v1/onboarding-requirements",
    successor: "GET /api/customer/v1/onboarding/ubo-identity-requirements",
  },
  {
    methods: ["POST"],
    path: "/api/partner/v1/documents/onboarding-upload-link",
    successor: `POST ${profiles}/{customerId}/documents/upload-link`,
  },
  { methods: ["POST", "GET", "PUT"], path: "/api/partner/v1/webhooks", successor: webhookSuccessor },
  { methods: ["POST"], path: "/api/partner/v1/webhooks/rotate-secret", successor: webhookSuccessor },
  { methods: ["GET"], path: "/api/partner/v1/webhooks/deliveries", successor: webhookSuccessor },
  { methods: ["GET"], path: "/api/partner/v1/webhooks/deliveries/:deliveryId", successor: webhookSuccessor },
  {
    methods: ["POST"],
    path: "/api/partner/v1/webhooks/deliveries/:deliveryId/replay",
    successor: webhookSuccessor,
  },
  { methods: ["POST"], path: "/api/partner/v1/webhooks/replay", successor: webhookSuccessor },
];
