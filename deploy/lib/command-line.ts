/** Shared by demo, token and receiver: a plain sentence for a fault, numbers in options. */

/** Exits with 1 and says what is wrong, without a stack. */
export async function runMain(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}

export function wholeNumber(option: string, text: string, min: number, max: number): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new Error(`${option} must be a whole number from ${min} to ${max}`);
  return value;
}
