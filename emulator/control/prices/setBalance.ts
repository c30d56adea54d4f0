import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  numberToHex,
  zeroAddress,
} from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { balanceOf, quantitySchema } from "../../chains/rpc.ts";
import { findBalanceSlot, readWord, storeWord } from "../../chains/tokenSlots.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";

const searchedSlots = 32;
const word = 32;

type BalanceParameters = {
  readonly currency: Address;
  readonly account: Address;
  /** Smallest units. */
  readonly amount: bigint;
};

/**
 * Sets an account's balance to exactly `amount` and mines a block, so that readers once a block see it. A token's total
 * supply changes accordingly; for wrapped native currency, the contract's native balance does.
 */
export async function setBalance(chain: Chain, parameters: BalanceParameters): Promise<void> {
  const { account, amount, currency } = parameters;
  try {
    if (currency === zeroAddress) await setNative(chain, account, amount);
    else await setToken(chain, parameters);
    await chain.rpc("evm_mine");
  } catch (cause) {
    if (cause instanceof ControlRefusedError) throw cause;
    throw new ControlRefusedError(`Balances cannot be set on ${chain.definition.name}.`, cause);
  }
}

async function setNative({ rpc }: Chain, account: Address, amount: bigint): Promise<void> {
  await rpc("hardhat_setBalance", [account, numberToHex(amount)]);
}

async function setToken(chain: Chain, { account, amount, currency }: BalanceParameters): Promise<void> {
  const before = await balanceOf(chain, currency, account);
  const isWrapped = isAddressEqual(currency, chain.swap.wrappedNative);
  const supplySlot = isWrapped ? undefined : await findSupply(chain, currency);
  await storeWord(chain, currency, await findBalance(chain, currency, account), amount);
  if (isWrapped) {
    const backing = await chain.client.getBalance({ address: currency });
    await setNative(chain, currency, backing + amount - before);
  } else if (supplySlot !== undefined) {
    const supply = await readWord(chain, currency, supplySlot);
    await storeWord(chain, currency, supplySlot, supply + amount - before);
  }
}

async function findBalance(chain: Chain, token: Address, account: Address): Promise<Hex> {
  const slot = await findBalanceSlot(chain, token, account);
  if (slot === undefined) throw new ControlRefusedError(`The balance slot of ${token} was not found.`);
  return slot;
}

/** Finds the storage slot of a token's total supply, if it has one. */
async function findSupply(chain: Chain, token: Address): Promise<Hex | undefined> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "totalSupply" });
  const answer = await chain.rpc("eth_call", [{ data, to: token }, "latest"]).catch(() => "0x");
  const supply = quantitySchema.safeParse(answer);
  if (!supply.success || supply.data === 0n) return undefined;
  for (let index = 0n; index < searchedSlots; index++) {
    const slot = numberToHex(index, { size: word });
    if ((await readWord(chain, token, slot)) === supply.data) return slot;
  }
  return undefined;
}
