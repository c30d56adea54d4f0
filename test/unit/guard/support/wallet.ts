import type { Address, Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import {
  type CreateQuoteGuardParameters,
  createQuoteGuard,
  guardProvider,
  type ProviderRequest,
  type Refusal,
  type WalletProvider,
} from "../../../../src/guard/index.ts";
import type { Eip712Sign, EvmTransactionData } from "../../../../src/schema/quote/step.ts";
import { rpcTransaction } from "../../../helpers/rpcTransaction.ts";
import { txHash, user } from "../../client/support/samples.ts";
import { now, policy, type Sample } from "./quotes.ts";

/** Answers to the guard's own reads, and to everything else. */
type Answers = Readonly<Record<string, (params: readonly unknown[]) => unknown>>;

const reads: Answers = {
  eth_accounts: () => [user],
  eth_blockNumber: () => "0x7",
  eth_chainId: () => "0x7a69",
  eth_getTransactionByHash: () => ({ nonce: "0x0" }),
  eth_getTransactionCount: () => "0x1",
  eth_getTransactionReceipt: () => ({ status: "0x1" }),
};

/** A wallet with a log of what reached it, reads of the guard aside. */
function testWallet(answers: Answers = {}) {
  const log: ProviderRequest[] = [];
  const wallet: WalletProvider = {
    request: async ({ method, params }) => {
      const read = reads[method];
      if (read === undefined) log.push(structuredClone({ method, ...(params !== undefined && { params }) }));
      const answer = answers[method] ?? read ?? (() => txHash);
      return answer((params ?? []) as readonly unknown[]);
    },
  };
  return { log, wallet };
}

/** A guarded wallet that has learned samples. */
export async function guarded(
  samples: readonly Sample[],
  { answers = {}, ...more }: Partial<CreateQuoteGuardParameters> & { answers?: Answers } = {},
) {
  const refusals: Refusal[] = [];
  const guard = createQuoteGuard({
    now: () => now,
    onRefused: (refusal) => refusals.push(refusal),
    policy,
    // Pauses end at once; limits never.
    sleep: (milliseconds) => (milliseconds < 5_000 ? Promise.resolve() : new Promise(() => {})),
    ...more,
  });
  for (const sample of samples) await guard.add(sample);
  const { log, wallet } = testWallet(answers);
  return { guard, log, provider: guardProvider(wallet, guard), refusals };
}

/** An error of a wallet, with EIP-1193's code. */
export function walletError(code: number, message = "no"): Error {
  return Object.assign(new Error(message), { code });
}

/** The transaction of a step, as a client sends it. */
export function callOf({ quote }: Sample, stepIndex = 0): Record<string, unknown> {
  const { data, from, to, value } = (quote.steps[stepIndex]?.items[0]?.data ?? {}) as EvmTransactionData;
  return { data, from, to, value: `0x${BigInt(value ?? 0).toString(16)}` };
}

/** Asks a provider to send a call. */
export function send(provider: WalletProvider, call: unknown): Promise<unknown> {
  return provider.request({ method: "eth_sendTransaction", params: [call] });
}

/** A call as a node answers it, signed by the sample's user. */
export async function signedTransaction({ data, to, value }: { data: Hex; to: Address; value: Hex }) {
  const account = mnemonicToAccount("test test test test test test test test test test test junk");
  const fees = { maxFeePerGas: 2n, maxPriorityFeePerGas: 1n };
  const unsigned = {
    chainId: 31337,
    data,
    gas: 50_000n,
    nonce: 3,
    to,
    type: "eip1559",
    value: BigInt(value),
  } as const;
  return rpcTransaction(await account.signTransaction({ ...unsigned, ...fees }), account.address);
}

/** An answer of a wallet that fails the first time. */
export function failOnce(code: number, answer: unknown): () => unknown {
  let isFirst = true;
  return () => {
    if (!isFirst) return answer;
    isFirst = false;
    throw walletError(code);
  };
}

/** Waits until a condition holds. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

/** The typed data of a sample's first step, as a client asks for it. */
export function typedOf({ quote }: Sample) {
  const { sign } = (quote.steps[0]?.items[0]?.data ?? {}) as { sign: Eip712Sign };
  const { domain, primaryType, types, value: message } = sign;
  return { domain, message, primaryType, types };
}
