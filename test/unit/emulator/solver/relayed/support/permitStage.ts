import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import type { Context } from "../../../../../../emulator/context/Context.ts";
import { createQuote } from "../../../../../../emulator/quote/createQuote.ts";
import { acceptPermit } from "../../../../../../emulator/solver/relayed/acceptPermit.ts";
import { resetStore } from "../../../../../../emulator/store/resetStore.ts";
import type { RelayedDepositRow, RequestRow, Store } from "../../../../../../emulator/store/tables.ts";
import type { Quote } from "../../../../../../src/schema/quote/quote.ts";
import { signatureOf, signQuote } from "../../../../../helpers/quotes/permits.ts";
import { testContext } from "../../../support/context.ts";
import { accounts, type LiveChain, payer, startLiveChain } from "../../../support/liveChain.ts";

/** Input of each quote: fifty dollars. */
export const paid = 50_000_000n;
const startedAt = 1_000;
const recipient: Address = "0x00000000000000000000000000000000000a11ce";

/** Two chains and a database without a running solver: a test makes each of its rounds. */
export type PermitStage = {
  readonly alpha: LiveChain;
  readonly context: Context;
  /** Messages of the log. */
  readonly logged: string[];
  /** Moves the service's clock, which stands still otherwise. */
  wait(milliseconds: number): void;
  /** Brings chains and database back to their start. */
  reset(): Promise<void>;
  close(): Promise<void>;
  /** Quotes a payment of USDT by a Permit2 signature; the payer's approval of Permit2 is unlimited. */
  quote(overrides?: Partial<Parameters<typeof createQuote>[0]>): Promise<Quote>;
  /** Signs a quote as the payer and submits the signature. */
  accept(quote: Quote): Promise<void>;
  /** A quote of which {@link PermitStage.accept} has submitted the signature. */
  acceptedQuote(): Promise<Quote>;
  request(quote: Quote): Promise<RequestRow>;
  permit(quote: Quote): Promise<RelayedDepositRow>;
  /** The depository's USDC, in smallest units. */
  deposited(): Promise<bigint>;
};

/** @param store An empty database, which the caller closes. */
export async function startPermitStage(store: Store): Promise<PermitStage> {
  const alpha = await startLiveChain(31_397, "delta");
  const beta = await startLiveChain(31_398, "epsilon");
  const chains = [alpha, beta].map(({ chain }) => chain);
  const { depository, permit2 } = alpha.chain.contracts;
  await alpha.send({ data: approveData(permit2, maxUint256), to: alpha.token("USDT") });
  let snapshots = await Promise.all(chains.map(({ rpc }) => rpc("evm_snapshot")));
  const logged: string[] = [];
  let time = startedAt;
  const context = testContext({
    now: () => time,
    chains: new Map(chains.map((chain) => [chain.definition.id, chain])),
    log: ({ message }) => logged.push(message),
    store,
  });
  const idOf = (quote: Quote) => signatureOf(quote).step.requestId as Hex;
  const stage: PermitStage = {
    accept: async (quote) => {
      const { kind } = signatureOf(quote).post.body as { kind: string };
      const { account } = accounts.users[0] ?? accounts.deployer;
      await acceptPermit({ kind, requestId: idOf(quote) }, await signQuote(account, quote), context);
    },
    acceptedQuote: async () => {
      const quote = await stage.quote();
      await stage.accept(quote);
      return quote;
    },
    alpha,
    close: async () => {
      await Promise.all(chains.map(({ close }) => close()));
    },
    context,
    deposited: () => alpha.heldBy(depository, "USDC"),
    logged,
    permit: (quote) => {
      const permits = store.selectFrom("relayed_deposits").selectAll();
      return permits.where("request_id", "=", idOf(quote)).executeTakeFirstOrThrow();
    },
    quote: async (overrides = {}) => {
      const parameters = {
        amount: paid.toString(),
        destinationChainId: beta.chain.definition.id,
        destinationCurrency: beta.token("USDC"),
        originChainId: alpha.chain.definition.id,
        originCurrency: alpha.token("USDT"),
        recipient,
        tradeType: "EXACT_INPUT",
        usePermit: true,
        user: payer,
        ...overrides,
      } as const;
      return (await createQuote(parameters, context)).quote;
    },
    request: (quote) => {
      const requests = store.selectFrom("requests").selectAll();
      return requests.where("id", "=", idOf(quote)).executeTakeFirstOrThrow();
    },
    reset: async () => {
      await resetStore(store);
      logged.length = 0;
      time = startedAt;
      await Promise.all(chains.map(({ rpc }, index) => rpc("evm_revert", [snapshots[index]])));
      snapshots = await Promise.all(chains.map(({ rpc }) => rpc("evm_snapshot")));
    },
    wait: (milliseconds) => {
      time += milliseconds;
    },
  };
  return stage;
}

/** Calldata of an approval. */
export function approveData(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, args: [spender, amount], functionName: "approve" });
}
