/** What one node knows of a service on another: news of it takes a moment, and a call before that goes astray. */
import type { ServiceBroker } from "moleculer";
import { waitFor } from "../wait-for.ts";

export const untilKnown = (at: ServiceBroker, service: string, on: ServiceBroker) =>
  waitFor(() => at.registry.hasService(service, on.nodeID), { what: `${service} to be known` });

export const untilForgotten = (at: ServiceBroker, service: string, on: ServiceBroker) =>
  waitFor(() => !at.registry.hasService(service, on.nodeID), { what: `${service} to be forgotten` });
