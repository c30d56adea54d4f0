/** The oldest Node with what Hardhat and the store need; `cli/waybill.ts` says the same before it loads anything. */
const oldest = [22, 16] as const;

/**
 * Refuses a Node that is too old.
 *
 * @throws Error that names this version and the oldest one that will do.
 */
export function assertNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(`The emulator needs Node ${oldest.join(".")} or newer; this is Node ${version}.`);
}
