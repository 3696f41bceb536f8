/** Mistakes that no test can see, because they change nothing that anybody could notice; each with the reason. */
export type Explanation = {
  file: string;
  /** The line before and after, as the report has it. */
  text: string;
  reason: string;
};

export const EXPLAINED: readonly Explanation[] = [
  {
    file: "services/delivery/records/delivery.repository.ts",
    text: 'const free = { ...wanted, status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const; → const free = { ...wanted,  claimableAt: { $lte: new Date(atMs) } } as const;',
    reason: "Only pending deliveries have a claimableAt; the status is named as a second fence.",
  },
  {
    file: "services/delivery/records/delivery.repository.ts",
    text: '.find<OpenDelivery>({ ...wanted, status: "Pending", claim: token }, { projection: OPEN_FIELDS }) → .find<OpenDelivery>({ ...wanted,  claim: token }, { projection: OPEN_FIELDS })',
    reason: "Only pending deliveries have a claim; the status is named as a second fence.",
  },
  {
    file: "services/delivery/records/queue-name.rules.ts",
    text: 'queueName(place, "attempt"), → queueName(place, ""),',
    reason: "Every lane but the replays' has the endpoint's own name; another word does not compile.",
  },
];
