/** A QR code, dark on light in both themes: cameras expect it. */
import { encode } from "uqr";

/** Modules of light around the code (ISO/IEC 18004). */
const QUIET = 4;

export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: "M", boostEcc: false, border: QUIET });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path class="qr-light" d={`M0 0h${size}v${size}h-${size}z`} />
      <path class="qr-dark" d={dark.join("")} shape-rendering="crispEdges" />
    </svg>
  );
}
