/** Updates of many deliveries as single statements. */
import type { mongo } from "mongoose";
import { placed } from "../../../shared/mongo/mongo.ts";
import type { DeliveryRecord } from "./delivery.model.ts";
import { type DeliveryUpdate, NOT_MADE, NOT_MADE_FAILURE } from "./delivery-update.rules.ts";

const WAITING_FIELDS = ["queue", "claimableAt", "claim"];

/** An update that is late, or was made by another process, matches nothing. */
export const fence = (group: readonly DeliveryUpdate[]): mongo.Filter<DeliveryRecord> => ({
  ...placed(group.map(({ deliveryId, partnerId }) => ({ _id: deliveryId, partnerId }))),
  status: "Pending",
  attemptCount: (group[0]?.attemptNo ?? 0) - 1,
});

/**
 * Changes many records by one statement, each change found by the index of its id: half the cost of a statement each.
 * The changes are literals, because the text of a receiver may look like an expression.
 */
export function applyPipeline(group: readonly DeliveryUpdate[]): mongo.BSON.Document[] {
  const changes = group.map(({ set, attempts }) => ({ set, attempts }));
  const ids = group.map(({ deliveryId }) => deliveryId);
  // $getField would be shorter, but takes a computed name only from MongoDB 7.2 on.
  const slot = { $indexOfArray: [{ $literal: ids }, "$_id"] };
  const attempts = { $concatArrays: ["$attempts", "$change.attempts"] };
  return [
    { $set: { change: { $arrayElemAt: [{ $literal: changes }, slot] } } },
    { $replaceWith: { $mergeObjects: ["$$ROOT", "$change.set", { attempts }] } },
    { $unset: ["change", ...(group[0]?.isFinal ? WAITING_FIELDS : ["claim"])] },
  ];
}

/** As exhausted of delivery-update.rules.ts, for many; the attempt number comes from each record. */
export const exhaustPipeline = (at: Date): mongo.BSON.Document[] => [
  {
    $set: {
      status: "Exhausted",
      lastFailure: NOT_MADE_FAILURE,
      nextAttemptAt: null,
      completedAt: at,
      attempts: {
        $concatArrays: [
          "$attempts",
          [{ ...NOT_MADE, attemptNo: { $add: ["$attemptCount", 1] }, sentAt: at }],
        ],
      },
    },
  },
  { $unset: WAITING_FIELDS },
];
