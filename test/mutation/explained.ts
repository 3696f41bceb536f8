/** Mistakes that no test can see, because they change nothing that anybody could notice; each with the reason. */
export type Explanation = {
  file: string;
  reason: string;
  /** The line before and after, as the report has it. */
  texts: readonly string[];
};

export const EXPLAINED: readonly Explanation[] = [
  {
    file: "services/delivery/records/delivery.repository.ts",
    reason: "Only pending deliveries have a claimableAt; the status is named as a second fence.",
    texts: [
      'const free = { ...wanted, status: "Pending", claimableAt: { $lte: new Date(atMs) } } as const; → const free = { ...wanted,  claimableAt: { $lte: new Date(atMs) } } as const;',
    ],
  },
  {
    file: "services/delivery/records/delivery.repository.ts",
    reason: "Only pending deliveries have a claim; the status is named as a second fence.",
    texts: [
      '.find<OpenDelivery>({ ...wanted, status: "Pending", claim: token }, { projection: OPEN_FIELDS }) → .find<OpenDelivery>({ ...wanted,  claim: token }, { projection: OPEN_FIELDS })',
    ],
  },
];
