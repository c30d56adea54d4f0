/** Prints how far a campaign is, without buffering. */
export function progress(line: string): void {
  process.stdout.write(`      ${new Date().toISOString().slice(11, 19)} ${line}\n`);
}

/** A campaign's seed: `WAYBILL_SEED`, to repeat a run, or a new one, which is printed. */
export function campaignSeed(name: string): string {
  const seed = process.env.WAYBILL_SEED ?? `${name} ${Date.now()}`;
  progress(`WAYBILL_SEED="${seed}" draws the same again`);
  return seed;
}

/** How long a lane is: as short as everyday runs need it, or long with `WAYBILL_LONG=1`. */
export function sizeOf<Size>(short: Size, long: Size): Size {
  return process.env.WAYBILL_LONG === "1" ? long : short;
}

/** Resolves after a time in milliseconds. */
export async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}
