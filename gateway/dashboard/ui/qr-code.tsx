/** A QR code, dark on light in both themes: cameras expect it. */
import { qrCode } from "../core/qr-code.rules.ts";

/** Modules of light around it (ISO/IEC 18004). */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const matrix = qrCode(text);
  if (!matrix) return null;
  const size = matrix.length + 2 * QUIET;
  const dark = matrix.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x + QUIET} ${y + QUIET}h1v1h-1z`] : [])),
  );
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="qr-dark" d={dark.join("")} shape-rendering="crispEdges" />
    </svg>
  );
}
