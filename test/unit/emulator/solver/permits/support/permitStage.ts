import { type Address, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import type { Context } from "../../../../../../emulator/context/Context.ts";
import { defaultQuoteSettings } from "../../../../../../emulator/context/QuoteSettings.ts";
import { noControl } from "../../../../../../emulator/control/noControl.ts";
import { createQuote } from "../../../../../../emulator/quote/createQuote.ts";
import { acceptPermit } from "../../../../../../emulator/solver/permits/acceptPermit.ts";
import type { Store } from "../../../../../../emulator/store/openStore.ts";
import type { PermitRow, RequestRow } from "../../../../../../emulator/store/tables.ts";
import type { Quote } from "../../../../../../src/schema/quote/quote.ts";
import { signatureOf, signQuote } from "../../../../../helpers/quotes/permits.ts";
import { accounts, type LiveChain, payer, startLiveChain } from "../../../support/liveChain.ts";
import { noApiKeys } from "../../../support/requests.ts";

/** What is paid: fifty dollars. */
export const paid = 50_000_000n;
/** Who is to get it. */
export const payee: Address = "0x00000000000000000000000000000000000a11ce";

/** Two chains and a database without a solver: each of its rounds is made by the test. */
export type PermitStage = {
  readonly alpha: LiveChain;
  readonly beta: LiveChain;
  readonly store: Store;
  readonly context: Context;
  /** What was logged. */
  readonly logged: string[];
  /** Everything as it was. */
  reset(): Promise<void>;
  close(): Promise<void>;
  /** A quote for a payment of USDT, which is made through Permit2, of which the user has approved all he has. */
  quote(overrides?: Partial<Parameters<typeof createQuote>[0]>): Promise<Quote>;
  sign(quote: Quote, user?: number): Promise<Hex>;
  /** Signs a quote and hands that in. */
  accept(quote: Quote): Promise<void>;
  request(quote: Quote): Promise<RequestRow>;
  permit(quote: Quote): Promise<PermitRow>;
  /** What the depository holds of USDT's dollars, in USDC. */
  deposited(): Promise<bigint>;
};

/** A key of the emulator's users. */
function userAccount(index: number) {
  const user = accounts.users[index];
  if (user === undefined) throw new Error(`there is no user ${index}`);
  return user.account;
}

/** @param open Makes a new, empty database, which the caller closes. */
export async function startPermitStage(open: () => Promise<Store>): Promise<PermitStage> {
  const alpha = await startLiveChain(31_397, "delta");
  const beta = await startLiveChain(31_398, "epsilon");
  const token = alpha.token("USDC");
  await alpha.send({
    data: approveData(alpha.chain.contracts.permit2, maxUint256),
    to: alpha.token("USDT"),
  });
  let snapshots = await Promise.all([alpha, beta].map(({ chain }) => chain.rpc("evm_snapshot")));
  let drawn = 0;
  const logged: string[] = [];
  const stage = { store: await open() };
  const context: Context = {
    accounts,
    adminKey: "",
    apiKeys: noApiKeys,
    chains: new Map([alpha, beta].map(({ chain }) => [chain.definition.id, chain])),
    control: noControl,
    log: ({ message }) => logged.push(message),
    now: () => 1_000,
    quoting: defaultQuoteSettings(),
    random32: () => `0x${(++drawn).toString(16).padStart(64, "0")}`,
    get store() {
      return stage.store;
    },
  };
  const quote: PermitStage["quote"] = async (overrides = {}) => {
    const created = await createQuote(
      {
        amount: paid.toString(),
        destinationChainId: beta.chain.definition.id,
        destinationCurrency: beta.token("USDC"),
        originChainId: alpha.chain.definition.id,
        originCurrency: alpha.token("USDT"),
        recipient: payee,
        tradeType: "EXACT_INPUT",
        usePermit: true,
        user: payer,
        ...overrides,
      },
      context,
    );
    return created.quote;
  };
  const sign: PermitStage["sign"] = (quoted, user = 0) => signQuote(userAccount(user), quoted);
  const idOf = (quoted: Quote) => signatureOf(quoted).step.requestId as Hex;
  return {
    accept: async (quoted) => {
      const { kind } = signatureOf(quoted).post.body as { kind: string };
      await acceptPermit({ kind, requestId: idOf(quoted) }, await sign(quoted), context);
    },
    alpha,
    beta,
    close: async () => {
      await Promise.all([alpha, beta].map(({ chain }) => chain.close()));
    },
    context,
    deposited: () =>
      alpha.chain.client.readContract({
        abi: erc20Abi,
        address: token,
        args: [alpha.chain.contracts.depository],
        functionName: "balanceOf",
      }),
    logged,
    permit: (quoted) =>
      stage.store
        .selectFrom("permits")
        .selectAll()
        .where("request_id", "=", idOf(quoted))
        .executeTakeFirstOrThrow(),
    quote,
    request: (quoted) =>
      stage.store.selectFrom("requests").selectAll().where("id", "=", idOf(quoted)).executeTakeFirstOrThrow(),
    reset: async () => {
      stage.store = await open();
      logged.length = 0;
      await Promise.all([alpha, beta].map(({ chain }, index) => chain.rpc("evm_revert", [snapshots[index]])));
      snapshots = await Promise.all([alpha, beta].map(({ chain }) => chain.rpc("evm_snapshot")));
    },
    sign,
    get store() {
      return stage.store;
    },
  };
}

/** Calldata of an approval. */
export function approveData(spender: Address, amount: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, args: [spender, amount], functionName: "approve" });
}
