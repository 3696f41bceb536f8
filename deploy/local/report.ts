/** Messages of the platform to the terminal. */
export type Report = {
  say(line: string): void;
  warn(line: string): void;
  progress(label: string, done: number, total: number): void;
};

const REDRAW_EVERY_MS = 100;

export function consoleReport(out: NodeJS.WriteStream = process.stdout): Report {
  const drawn = { at: 0, label: "" };
  const clear = () => {
    if (drawn.label !== "") out.write("\r\x1b[K");
    drawn.label = "";
  };
  return {
    say(line) {
      clear();
      out.write(`${line}\n`);
    },
    warn(line) {
      clear();
      out.write(out.isTTY ? `\x1b[33m${line}\x1b[0m\n` : `${line}\n`);
    },
    progress(label, done, total) {
      if (!out.isTTY) return;
      if (done < total && Date.now() - drawn.at < REDRAW_EVERY_MS) return;
      drawn.at = Date.now();
      drawn.label = label;
      const percent = Math.min(100, Math.floor((100 * done) / total));
      out.write(`\r\x1b[K  ${label}: ${percent} %`);
      if (done >= total) clear();
    },
  };
}
