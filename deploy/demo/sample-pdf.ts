/** A PDF of one page with a line of text, as large as is wanted: for the demo and for tests. */
export function samplePdf(line = "A certificate.", sizeBytes = 0): Buffer {
  const text = `BT /F1 24 Tf 72 700 Td (${line.replace(/[\\()]/g, "\\$&")}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ].map((content, index) => `${index + 1} 0 obj\n${content}\nendobj\n`);
  const small = assemble(objects, "");
  const missing = Math.max(0, sizeBytes - small.length);
  // A comment fills the rest; it makes the number after startxref longer, too.
  const tooLong = assemble(objects, padding(missing)).length - small.length - missing;
  return assemble(objects, padding(missing - tooLong));
}

const HEADER = "%PDF-1.7\n";
const padding = (length: number): string => (length > 1 ? `%${" ".repeat(length - 2)}\n` : "");

function assemble(objects: readonly string[], comment: string): Buffer {
  let end = HEADER.length;
  const entries = objects.map((object) => {
    const entry = `${String(end).padStart(10, "0")} 00000 n \n`;
    end += object.length;
    return entry;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries.join("")}`;
  const trailer = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${end + comment.length}\n%%EOF\n`;
  return Buffer.from(HEADER + objects.join("") + comment + table + trailer, "latin1");
}
