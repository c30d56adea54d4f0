import {
  type Address,
  concatHex,
  encodeErrorResult,
  getContractAddress,
  type Hex,
  numberToHex,
  parseAbi,
  size,
  TransactionReceiptNotFoundError,
  zeroAddress,
} from "viem";
import type { LocalKey } from "../../chains/accounts.ts";
import type { Chain } from "../../chains/Chain.ts";
import { balanceOf } from "../../chains/rpc.ts";
import type { Context } from "../../context/Context.ts";
import type { BalanceOf } from "../../control/Control.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import type { ScenarioContext } from "../Scenario.ts";

/** Wei. */
const tip = 1_000_000_000n;
/** Native currency for the gas of an account, in wei. */
export const gasMoney = 10n ** 18n;

/** A transaction to send; `gas` is estimated by default. */
type Sent = {
  readonly to?: Address | undefined;
  readonly data?: Hex | undefined;
  readonly value?: bigint | undefined;
  readonly gas?: bigint | undefined;
};

export function currencyOf({ currencies, definition }: Chain, symbol: string): Address {
  const found = currencies.find((currency) => currency.symbol === symbol);
  if (found === undefined) throw new ControlRefusedError(`${definition.name} has no ${symbol}.`);
  return found.address;
}

/** Sends a transaction and waits until it is mined, successful or not. */
export async function send(
  scenario: ScenarioContext,
  chain: Chain,
  from: LocalKey,
  sent: Sent,
): Promise<Hex> {
  const { client, definition } = chain;
  const { data = "0x", to, value = 0n } = sent;
  const { address } = from.account;
  const call = { data, value, ...(to !== undefined && { to }) };
  const nonce = await client.getTransactionCount({ address, blockTag: "pending" });
  // A pool may use more gas in the mined block than in the estimate.
  const gas = sent.gas ?? (await client.estimateGas({ ...call, account: address })) * 2n;
  const serializedTransaction = await from.account.signTransaction({
    ...call,
    chainId: definition.id,
    gas,
    maxFeePerGas: chain.head().baseFeePerGas * 2n + tip,
    maxPriorityFeePerGas: tip,
    nonce,
    type: "eip1559",
  });
  const hash = await client.sendRawTransaction({ serializedTransaction });
  await scenario.until(() => receiptOf(chain, hash), `transaction ${hash} on ${definition.name}`);
  return hash;
}

async function receiptOf({ client }: Chain, hash: Hex) {
  return client.getTransactionReceipt({ hash }).catch((error: unknown) => {
    if (error instanceof TransactionReceiptNotFoundError) return undefined;
    throw error;
  });
}

/** Gives an account, the user by default, an amount of a currency, which disappears again at the end. */
export async function fund(
  scenario: ScenarioContext,
  chain: Chain,
  currency: Address,
  amount: bigint,
  account: Address = scenario.user.account.address,
): Promise<void> {
  const { control } = scenario;
  const of = { account, chainId: chain.definition.id, currency };
  const held = await balanceOf(chain, currency, of.account);
  await control.balances.set({ ...of, amount: held + amount });
  if (held === 0n) scenario.onEnd(() => control.balances.set({ ...of, amount: 0n }));
}

/** Changes the balance of any account, to zero at least. */
export async function shift({ control }: ScenarioContext, of: BalanceOf, change: bigint): Promise<void> {
  if (change === 0n) return;
  const amount = (await control.balances.get(of)) + change;
  await control.balances.set({ ...of, amount: amount > 0n ? amount : 0n });
}

/** An address without code, and the action that puts code there: quotes succeed before it, fills meet the code. */
export async function reserveContract(
  scenario: ScenarioContext,
  chain: Chain,
  code: Hex,
): Promise<{ readonly address: Address; readonly place: () => Promise<void> }> {
  const { user } = scenario;
  const from = user.account.address;
  await fund(scenario, chain, zeroAddress, gasMoney);
  const nonce = await chain.client.getTransactionCount({ address: from, blockTag: "pending" });
  return {
    address: getContractAddress({ from, nonce: BigInt(nonce) }),
    place: async () => {
      await send(scenario, chain, user, { data: deployingCode(code) });
    },
  };
}

/**
 * Code that copies the bytes after it to memory and ends with them:
 *
 * ```text
 * PUSH2 length  DUP1  PUSH1 12  PUSH1 0  CODECOPY  PUSH1 0  <last instruction>  payload
 * ```
 */
function endingWith(lastInstruction: Hex, payload: Hex): Hex {
  return concatHex([
    "0x61",
    numberToHex(size(payload), { size: 2 }),
    "0x80600c6000396000",
    lastInstruction,
    payload,
  ]);
}

/** Creation code that deploys `code`; it ends with RETURN. */
function deployingCode(code: Hex): Hex {
  return endingWith("0xf3", code);
}

/** Code that reverts every call with `data`; it ends with REVERT. */
export function revertingCode(data: Hex): Hex {
  return endingWith("0xfd", data);
}

/** Code that reverts with Solidity's `Error(string)`. */
export function revertingWith(message: string): Hex {
  const abi = parseAbi(["error Error(string reason)"]);
  return revertingCode(encodeErrorResult({ abi, args: [message], errorName: "Error" }));
}

/** Code that writes five storage slots: `PUSH1 1 PUSH1 slot SSTORE` for each slot, then STOP. */
export const writingCode: Hex = concatHex([
  ...[1, 2, 3, 4, 5].map((slot) => concatHex(["0x600160", numberToHex(slot, { size: 1 }), "0x55"])),
  "0x00",
]);

/**
 * Circumstances of a time ago: the service's clock and its view of the chains' time. What it answers then is late now, and
 * no clock is moved.
 */
export function earlier(milliseconds: number): (context: Context) => Partial<Context> {
  const seconds = BigInt(Math.ceil(milliseconds / 1_000));
  return ({ chains, now }) => ({
    chains: new Map(
      [...chains].map(([id, chain]) => {
        const head = () => {
          const { timestamp, ...rest } = chain.head();
          return { ...rest, timestamp: timestamp - seconds };
        };
        return [id, { ...chain, head }];
      }),
    ),
    now: () => now() - milliseconds,
  });
}
