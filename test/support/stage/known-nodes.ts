/** Waits until a node has discovered a service on another: a call before that fails. */
import type { ServiceBroker } from "moleculer";
import { waitFor } from "../wait-for.ts";

export const untilKnown = (at: ServiceBroker, service: string, on: ServiceBroker) =>
  waitFor(() => at.registry.hasService(service, on.nodeID), `${service} to be known`);

export const untilForgotten = (at: ServiceBroker, service: string, on: ServiceBroker) =>
  waitFor(() => !at.registry.hasService(service, on.nodeID), `${service} to be forgotten`);
