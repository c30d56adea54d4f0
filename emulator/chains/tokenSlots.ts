import { type Address, concatHex, encodeAbiParameters, type Hex, keccak256, numberToHex, padHex } from "viem";
import type { Chain } from "./Chain.ts";
import { balanceOf, quantitySchema } from "./rpc.ts";

const searchedSlots = 32;
const word = 32;
const marker = 0x5eed_ba1a_0ce0_0001n;
/** Where OpenZeppelin's upgradeable ERC-20 keeps its balances (ERC-7201, "openzeppelin.storage.ERC20"). */
const namespacedBalances = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;
const soladySeed = "0x87a211a2";

/** Finds the storage slot of an account's token balance: the slot whose change shows in `balanceOf`. */
export async function findBalanceSlot(
  chain: Pick<Chain, "rpc">,
  token: Address,
  account: Address,
): Promise<Hex | undefined> {
  for (const slot of candidates(account)) {
    const before = await readWord(chain, token, slot);
    await storeWord(chain, token, slot, marker);
    // A changed word of another kind can make the token revert.
    const shown = await balanceOf(chain, token, account).catch(() => undefined);
    await storeWord(chain, token, slot, before);
    if (shown === marker) return slot;
  }
  return undefined;
}

/** Slots of Solidity's mappings, then of OpenZeppelin's and Solady's layouts, then of Vyper's mappings. */
function* candidates(account: Address): Generator<Hex> {
  const solidity = (index: bigint) =>
    keccak256(encodeAbiParameters([{ type: "address" }, { type: "uint256" }], [account, index]));
  for (let index = 0n; index < searchedSlots; index++) yield solidity(index);
  yield solidity(namespacedBalances);
  yield keccak256(concatHex([account, padHex(soladySeed, { size: 12 })]));
  for (let index = 0n; index < searchedSlots; index++) {
    yield keccak256(encodeAbiParameters([{ type: "uint256" }, { type: "address" }], [index, account]));
  }
}

export async function readWord({ rpc }: Pick<Chain, "rpc">, contract: Address, slot: Hex): Promise<bigint> {
  return quantitySchema.parse(await rpc("eth_getStorageAt", [contract, slot, "latest"]));
}

export async function storeWord(
  { rpc }: Pick<Chain, "rpc">,
  contract: Address,
  slot: Hex,
  value: bigint,
): Promise<void> {
  // Nodes expect the slot as a quantity without leading zeros.
  await rpc("hardhat_setStorageAt", [
    contract,
    numberToHex(BigInt(slot)),
    numberToHex(value, { size: word }),
  ]);
}
