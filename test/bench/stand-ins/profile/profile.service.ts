/** Answers the ping until the profile service exists. */
import type { ServiceSchema } from "moleculer";

export default function standIn(): ServiceSchema {
  return {
    name: "profile",
    actions: { ping: { visibility: "published", handler: () => ({ pong: true }) } },
  };
}
