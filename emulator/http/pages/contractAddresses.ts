/** Contract addresses by dotted name, as nested in the start-up document, such as `v3.erc20Router`. */
export function contractAddresses(
  contracts: object,
  prefix = "",
): readonly (readonly [name: string, address: string])[] {
  return Object.entries(contracts).flatMap(([name, value]: [string, unknown]) =>
    typeof value === "object" && value !== null
      ? contractAddresses(value, `${prefix}${name}.`)
      : [[`${prefix}${name}`, String(value)] as const],
  );
}
