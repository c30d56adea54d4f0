/**
 * Oldest version of Node that Hardhat and the store support. `cli/waybill.ts` checks it too, before it loads anything.
 */
const oldest = [22, 16] as const;

export function assertNode(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  throw new Error(`The emulator needs Node ${oldest.join(".")} or newer; this is Node ${version}.`);
}
