import {
  type Address,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  type Hex,
  hexToBigInt,
  isAddressEqual,
  padHex,
  type StateOverride,
  zeroAddress,
} from "viem";
import type { Call } from "./Call.ts";
import { callEffects } from "./callEffects.ts";

/** Balance of an account before the calls and after them, in smallest units. */
export type SimulatedBalance = {
  readonly account: Address;
  /** The zero address is the native currency. */
  readonly token: Address;
  readonly before: bigint;
  readonly after: bigint;
};

/** Allowance of the router before the calls and after them, in smallest units. */
export type SimulatedAllowance = {
  readonly token: Address;
  readonly spender: Address;
  readonly before: bigint;
  readonly after: bigint;
};

/** An amount of a token that stays on the router, where the next caller can take it. */
export type SimulatedLeftover = { readonly token: Address; readonly amount: bigint };

/** Effects of the calls that were read. Tokens that do not answer are absent. */
export type CallReadings = {
  readonly allowances: readonly SimulatedAllowance[];
  readonly balances: readonly SimulatedBalance[];
  readonly leftovers: readonly SimulatedLeftover[];
};

type Read =
  | { readonly type: "allowance"; readonly token: Address; readonly spender: Address }
  | { readonly type: "balance"; readonly token: Address; readonly account: Address };

const free = { value: 0n };
/** Account with overridden code that returns native balances. */
const reader = "0x00000000000000000000000000000000005157ad";
/** Overrides {@link reader}: mstore(0, balance(calldataload(0))), return(0, 32). */
export const readerOverride: StateOverride[number] = { address: reader, code: "0x6000353160005260206000f3" };

/**
 * Lists the reads of a simulation: balances of the router, the recipient and given accounts in every token that the calls name, and
 * the allowances that they give.
 */
export function planReads(parameters: {
  readonly accounts: readonly Address[];
  readonly calls: readonly Call[];
  readonly recipient: Address;
  readonly router: Address;
  readonly tokens: readonly Address[];
}): readonly Read[] {
  const { accounts, calls, recipient, router } = parameters;
  const effects = calls.flatMap((call) => callEffects(call));
  const named = effects.flatMap((effect) => ("token" in effect && effect.token ? [effect.token] : []));
  const tokens = distinct([zeroAddress, ...parameters.tokens, ...named]);
  const balances = tokens.flatMap((token) =>
    distinct([router, recipient, ...accounts]).map(
      (account) => ({ account, token, type: "balance" }) as const,
    ),
  );
  const allowances = new Map<string, Read>();
  for (const effect of effects) {
    if (effect.type !== "approve") continue;
    const [spender, token] = [getAddress(effect.spender), getAddress(effect.token)];
    allowances.set(`${token} ${spender}`, { spender, token, type: "allowance" });
  }
  return [...balances, ...allowances.values()];
}

/** Encodes a read as a call of the router. */
export function encodeRead(read: Read, router: Address): Call {
  if (read.type === "allowance") {
    const args = [router, read.spender] as const;
    return {
      ...free,
      data: encodeFunctionData({ abi: erc20Abi, args, functionName: "allowance" }),
      to: read.token,
    };
  }
  if (read.token === zeroAddress) return { ...free, data: padHex(read.account), to: reader };
  const data = encodeFunctionData({ abi: erc20Abi, args: [read.account], functionName: "balanceOf" });
  return { ...free, data, to: read.token };
}

type Answer = { readonly success: boolean; readonly returnData: Hex };

/** Interprets the answers of the reads before the calls and after them, in the reads' order. */
export function interpretReads(
  reads: readonly Read[],
  { after, before }: { readonly after: readonly Answer[]; readonly before: readonly Answer[] },
  { recipient, router }: { readonly recipient: Address; readonly router: Address },
): CallReadings {
  const allowances: SimulatedAllowance[] = [];
  const found: SimulatedBalance[] = [];
  for (const [index, read] of reads.entries()) {
    const [first, last] = [amountOf(before[index]), amountOf(after[index])];
    if (first === undefined || last === undefined) continue;
    const { type, ...rest } = read;
    if ("spender" in rest) allowances.push({ ...rest, after: last, before: first });
    else found.push({ ...rest, after: last, before: first });
  }
  // After the calls, the router sends all its native currency to the recipient.
  const rest = found.find(
    ({ account, token }) => token === zeroAddress && isAddressEqual(account, router),
  )?.after;
  const balances = found.map((each) => {
    if (each.token !== zeroAddress || rest === undefined) return each;
    if (isAddressEqual(each.account, router)) return { ...each, after: 0n };
    return isAddressEqual(each.account, recipient) ? { ...each, after: each.after + rest } : each;
  });
  const leftovers = balances.flatMap(({ account, after, token }) =>
    isAddressEqual(account, router) && after > 0n ? [{ amount: after, token }] : [],
  );
  return { allowances, balances, leftovers };
}

function amountOf(answer: Answer | undefined): bigint | undefined {
  const isWord = answer?.success === true && answer.returnData.length === 66;
  return isWord ? hexToBigInt(answer.returnData) : undefined;
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Set(addresses.map((address) => getAddress(address)))];
}
