/** Starts the dashboard. */
import { render } from "preact";
import { App } from "./app.tsx";
import { startRouter } from "./core/router.ts";

const root = document.getElementById("app");
if (root) {
  startRouter();
  render(<App />, root);
}
