/** Largest gas of the calls of one request. */
const mostCallGas = 2_000_000n;

/** Describes gas above the limit of one request; `undefined` below it. */
export function callGasExcess(gas: bigint): string | undefined {
  if (gas <= mostCallGas) return undefined;
  return `The calls take ${gas} gas, and the service pays for at most ${mostCallGas}`;
}
