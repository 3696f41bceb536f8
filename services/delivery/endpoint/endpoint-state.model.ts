/** State of an endpoint that outlives the owner of its partition. The registry has the endpoint itself. */

export type EndpointState = {
  _id: string;
  /** Set while the endpoint is paused or recovers, for the owner of the partition. */
  partition?: number;
  /** The receiver answered Retry-After: no request before. */
  pausedUntil?: Date;
  /** The endpoint healed: its waiting retries are being made due. */
  recoveringSince?: Date;
  lastSuccessAt?: Date;
  lastFailureAt?: Date;
};
