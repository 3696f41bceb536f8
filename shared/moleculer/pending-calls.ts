/** Ends calls that get no answer because a connection or a process is gone. */
import { Errors } from "moleculer";
import { REPEATABLE_ACTIONS } from "../contract/actions.ts";
import { AppError } from "../errors.ts";
import type { PendingRequest, Transit } from "./moleculer-internals.ts";

type Pending = Pick<Transit, "pendingRequests">;

/** The request did not leave this process. Another process's answer with this error loses the class on the way. */
export class NotSent extends AppError {
  constructor() {
    super("Service.Unavailable", "The message broker cannot be reached at the moment; try again shortly.", {
      retryAfterSeconds: 1,
    });
  }
}

export class NotTaken extends NotSent {}

export function rejectNotTaken({ pendingRequests }: Pending, id: string): void {
  const request = pendingRequests.get(id);
  pendingRequests.delete(id);
  request?.reject(new NotTaken());
}

/** Answers that the process has ready may still arrive, so calls that cannot be repeated stay. */
export const rejectRepeatable = (pending: Pending, of: string): void =>
  rejectCalls(pending, ({ nodeID, action }) => nodeID === of && REPEATABLE_ACTIONS.has(action.name));

export function rejectCalls(
  { pendingRequests }: Pending,
  isMeant: (request: PendingRequest) => boolean = () => true,
): void {
  for (const [id, request] of pendingRequests) {
    if (!isMeant(request)) continue;
    pendingRequests.delete(id);
    const { nodeID, action } = request;
    request.reject(new Errors.RequestRejectedError({ action: action.name, nodeID }));
  }
}
