import { type Address, type Hex, keccak256, numberToHex, parseTransaction } from "viem";

/** A signed transaction as a node shows it in a block. */
export function rpcTransaction(raw: Hex, from: Address): Record<string, unknown> {
  const { data: input = "0x", ...fields } = parseTransaction(raw) as Readonly<Record<string, unknown>>;
  const encoded = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, typeof value === "bigint" || typeof value === "number" ? numberToHex(value) : value]],
  );
  const usual = { accessList: [], nonce: "0x0", value: "0x0" };
  const v = numberToHex(Number(fields.yParity ?? 0));
  return { ...usual, ...Object.fromEntries(encoded), from, hash: keccak256(raw), input, type: "0x2", v };
}
