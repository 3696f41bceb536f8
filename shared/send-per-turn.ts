/** Sends everything of one turn of the event loop together, so that it leaves the process in one write. */
export function sendPerTurn(): (send: () => void) => void {
  let sends: (() => void)[] = [];
  return (send) => {
    if (sends.push(send) > 1) return;
    setImmediate(() => {
      const all = sends;
      sends = [];
      for (const each of all) each();
    });
  };
}
