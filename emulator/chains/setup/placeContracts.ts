import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Abi,
  type Address,
  concatHex,
  encodeDeployData,
  type Hex,
  numberToHex,
  parseEther,
  size,
} from "viem";
import { depositFactoryAddress, type LocalAccounts, type LocalKey } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import { packageRoot } from "../packageRoot.ts";
import { pendingNonce, type Rpc } from "../rpc.ts";
import type { SetupCall } from "./sendSetup.ts";

/** ABI, creation code and deployed code of a compiled contract. */
type Artifact = { readonly abi: Abi; readonly bytecode: Hex; readonly deployedBytecode: Hex };

/** Reads a compiled contract of this package. */
export function readArtifact(path: string): Artifact {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const file = join(packageRoot, "artifacts", "contracts", `${path}.sol`, `${name}.json`);
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Artifact;
  } catch (cause) {
    throw new Error(`The compiled contract ${name} is missing: run \`npm run contracts:build\`.`, { cause });
  }
}

const setCodeMethods = ["hardhat_setCode", "anvil_setCode"];

/** Places code at an address, unless the address has code. */
async function placeCode(rpc: Rpc, address: Address, read: () => Hex): Promise<boolean> {
  if ((await rpc("eth_getCode", [address, "latest"])) !== "0x") return true;
  const code = read();
  for (const method of setCodeMethods) {
    try {
      await rpc(method, [address, code]);
      return true;
    } catch {
      // Not a method of this node.
    }
  }
  return false;
}

/** Address of the batch executor that the official client delegates accounts to; service facts, "Others". */
export const caliburAddress: Address = "0x000000009B1D0aF20D8C6d0A44e162d11F9b8f00";

/**
 * Places the stand-in for Calibur at its address. On a node that cannot set code, accounts delegate to other executors
 * only.
 */
export async function placeCalibur(rpc: Rpc): Promise<void> {
  await placeCode(rpc, caliburAddress, () => readArtifact("service/Calibur").deployedBytecode);
}

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

/** Gas money of the account that deploys the factory. */
const founderGas = parseEther("1");

/**
 * Deploys the factory of deposit addresses, unless its code exists. Its address follows from the founder's first nonce: if the
 * founder has used that for something else, the chain has no deposit addresses.
 */
export async function placeDepositFactory(
  { rpc }: RunningChain,
  accounts: LocalAccounts,
  send: (from: LocalKey, calls: readonly SetupCall[]) => Promise<void>,
): Promise<void> {
  const { deployer, founder, solver } = accounts;
  const address = depositFactoryAddress(accounts);
  if ((await rpc("eth_getCode", [address, "latest"])) !== "0x") return;
  if ((await pendingNonce(rpc, founder.account.address)) !== 0) return;
  const { abi, bytecode } = readArtifact("service/DepositAddressFactory");
  const data = encodeDeployData({ abi, args: [solver.account.address], bytecode });
  await send(deployer, [{ data: "0x", to: founder.account.address, value: founderGas }]);
  await send(founder, [{ data }]);
}
