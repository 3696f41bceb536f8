/** Checks that every window runs during every journey: policy, focus after dialogs, texts that are for programs. */

/** A request line or a place in our code. */
const FOR_PROGRAMS = String.raw`\b(GET|POST|PUT|PATCH|DELETE) [\w{}:.-]*\/|\bat .*\.(js|ts):\d+`;
export const textForPrograms = new RegExp(FOR_PROGRAMS);

/** Scripts of the page are texts here: the compiler of the tests knows no document. */
const VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  tellProblem("policy: " + event.violatedDirective + " " + event.blockedURI));`;

/** Two drawings after the end of a dialog the focus is on a control or a heading, and not on the body. */
const FOCUS = `{
  const { showModal } = HTMLDialogElement.prototype;
  const check = (title, address) => {
    const { activeElement, body } = document;
    const isLost = !activeElement || activeElement === body || !activeElement.isConnected;
    // Without a heading the page is being left.
    const isLeft = location.href !== address || !document.querySelector("h1");
    if (isLost && !isLeft) tellProblem("focus: on nothing after the dialog " + title);
  };
  HTMLDialogElement.prototype.showModal = function () {
    showModal.call(this);
    const title = this.querySelector("h2")?.textContent ?? "";
    const watch = () => {
      if (this.open && this.isConnected) return requestAnimationFrame(watch);
      const address = location.href;
      requestAnimationFrame(() => requestAnimationFrame(() => check(title, address)));
    };
    requestAnimationFrame(watch);
  };
}`;

const MESSAGES = `new MutationObserver(() => {
  for (const each of document.querySelectorAll("[role=alert], .notice, dialog")) {
    const found = new RegExp(${JSON.stringify(FOR_PROGRAMS)}).exec(each.innerText);
    if (found) tellProblem("message for programs: " + each.innerText);
  }
}).observe(document, { childList: true, subtree: true });`;

export const STANDING_CHECKS = `${VIOLATIONS}\n${FOCUS}\n${MESSAGES}`;
