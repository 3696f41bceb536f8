/** Starts the dashboard. */
import { render } from "preact";
import { App } from "./app.tsx";
import { keepFocus } from "./core/focus.ts";
import { startRouter } from "./core/router.ts";
import { watchOtherWindows } from "./core/session.ts";

const root = document.getElementById("app");
if (root) {
  startRouter();
  watchOtherWindows();
  keepFocus();
  render(<App />, root);
}
