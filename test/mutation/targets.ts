/** The files that mistakes are put into. */

/** These protect money and secrets: callers, tokens, sessions, sealed fields, addresses, creates and files. */
export const GUARDED = [
  "gateway/admit/*.ts",
  "services/auth-token/{session,token}/*.ts",
  "services/delivery/send/*.ts",
  "services/document/{judge-arrival,create-upload-link,file/examine-file}.ts",
  "services/profile/change/*.ts",
  "shared/{mongo,sealing}/*.ts",
  "shared/moleculer/{nats,bound}-transporter.ts",
  "shared/process/lifecycle.ts",
];

export const TARGETS = [
  ...GUARDED,
  "{services,gateway,shared}/**/*.{rules,repository,consumer}.ts",
  "services/delivery/due/*.ts",
  "services/delivery/{attempt,intake,replay}/{attempt-task,run-attempts,update-store}.ts",
  "services/delivery/intake/{schedule-deliveries,confirm-events}.ts",
  "services/delivery/replay/{run-replay-jobs,replay-chunk}.ts",
  "services/delivery/endpoint/{endpoint-queues,endpoint-directory,health-reporter}.ts",
  "services/document/{sweep,reconcile-document}.ts",
  "services/webhook-registry/sweep.ts",
  "shared/outbox/*.ts",
  "shared/jetstream/jetstream-{dispatch,pull}.ts",
  "shared/{batcher,poll-loop,retry}.ts",
];
