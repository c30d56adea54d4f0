import { isAddress, isHex, maxUint256, zeroAddress } from "viem";

/** Replacement values by kind: of the attacker, the service and the caller. */
export type Palette = {
  readonly addresses: readonly string[];
  /** Ids of orders and requests, the attacker's own among them. */
  readonly words: readonly string[];
  /** Names of chains, kinds and statuses. */
  readonly names: readonly string[];
};

/** Lists the replacements of a leaf, each with a name for reports. */
export function replacements(value: unknown, palette: Palette): readonly (readonly [string, unknown])[] {
  const found = operatorsFor(value, palette);
  return found.filter(([, fresh]) => JSON.stringify(fresh) !== JSON.stringify(value));
}

function operatorsFor(value: unknown, palette: Palette): (readonly [string, unknown])[] {
  if (typeof value === "boolean") return [["not", !value]];
  if (typeof value === "number") {
    return integers(BigInt(Math.trunc(value))).map(([name, fresh]) => [name, Number(fresh)]);
  }
  if (typeof value !== "string") return [];
  if (isAddress(value, { strict: false })) {
    return [
      ...palette.addresses.map((address): readonly [string, string] => ["address", address]),
      ["zero address", zeroAddress],
    ];
  }
  if (isHex(value)) return hexes(value, palette);
  if (/^-?\d+$/.test(value)) return integers(BigInt(value)).map(([name, fresh]) => [name, fresh.toString()]);
  return [
    ...palette.names.map((name): readonly [string, string] => ["name", name]),
    ["empty text", ""],
    ["longer text", `${value}x`],
  ];
}

function integers(value: bigint): (readonly [string, bigint])[] {
  return [
    ["plus 1", value + 1n],
    ["minus 1", value - 1n],
    ["times 10", value * 10n],
    ["divided by 10", value / 10n],
    ["half", value / 2n],
    ["double", value * 2n],
    ["maximum", maxUint256],
    ["2^62", 2n ** 62n],
    ["one", 1n],
    ["zero", 0n],
    ["minus itself", -value],
  ];
}

function hexes(value: string, { addresses, words }: Palette): (readonly [string, unknown])[] {
  const flipped = value.length > 2 ? `${value.slice(0, -1)}${value.endsWith("0") ? "1" : "0"}` : "0x01";
  const common: (readonly [string, string])[] = [
    ["no bytes", "0x"],
    ["last bit", flipped],
    ["one byte less", value.length > 3 ? value.slice(0, -2) : "0x"],
    ["one byte more", `${value}00`],
    ["a word more", `${value}${"00".repeat(32)}`],
  ];
  if (value.length === 66) {
    for (const word of words) common.push(["word", word]);
    for (const address of addresses) common.push(["address word", `0x${address.slice(2).padStart(64, "0")}`]);
    for (const [name, fresh] of integers(BigInt(value))) {
      if (fresh >= 0n && fresh <= maxUint256)
        common.push([name, `0x${fresh.toString(16).padStart(64, "0")}`]);
    }
  }
  return common;
}
