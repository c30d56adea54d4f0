import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Address, concatHex, type Hex, numberToHex, size } from "viem";
import { packageRoot } from "../packageRoot.ts";
import type { Rpc } from "../rpc.ts";
import { placeCode } from "./placeCode.ts";

/** Canonical address of Permit2. */
export const permit2Address: Address = "0x000000000022D473030F116dDEE9F6B43aC78BA3";

/** Places Permit2 at its canonical address, unless its code exists. */
export function placePermit2(rpc: Rpc): Promise<boolean> {
  return placeCode(rpc, permit2Address, permit2Code);
}

/** Init code that deploys Permit2: a program that returns the code after it. */
export function permit2InitCode(): Hex {
  const code = permit2Code();
  // push length, dup, push 10 (the length of this program), copy the rest to memory, return it
  return concatHex(["0x61", numberToHex(size(code), { size: 2 }), "0x80600a3d393df3", code]);
}

let cached: Hex | undefined;

function permit2Code(): Hex {
  if (cached !== undefined) return cached;
  try {
    const file = join(packageRoot, "artifacts", "Permit2.json");
    cached = (JSON.parse(readFileSync(file, "utf8")) as { deployedBytecode: Hex }).deployedBytecode;
  } catch (cause) {
    throw new Error("The code of Permit2 is missing: run `npm run setup`.", { cause });
  }
  return cached;
}
