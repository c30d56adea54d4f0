import {
  type Address,
  concatHex,
  createWalletClient,
  type Hex,
  http,
  type PrivateKeyAccount,
  parseEther,
} from "viem";
import { depositData } from "../../../emulator/quote/steps/depositCall.ts";
import { getQuote, type Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { setCode } from "../localChain.ts";
import { requestIdOf, type TestSymbol } from "../quotes/intents.ts";
import { reverting } from "../requests/failureStage.ts";
import type { DrawnIntent } from "./drawIntent.ts";
import type { Outcome, Spending } from "./Outcome.ts";

/** State shared by all intents. */
export type Scene = {
  readonly fixture: EmulatorFixture;
  /** Trades on a pool of a chain, which moves the price of other quotes. */
  movePool(chain: TestChain, sold: TestSymbol, bought: TestSymbol): Promise<void>;
  /** An account outside the intent, which pays for it. */
  payAsStranger(chain: TestChain, id: Hex, value: bigint): Promise<Hex>;
};

type Call = { readonly to: Address; readonly data: Hex; readonly value: bigint };
/** A transaction to send, with its sender's expected loss. */
type Sending = { readonly call: Call; readonly chain: TestChain; readonly spends: Spending | undefined };

const gasLimit = 1_500_000n;
const stray = parseEther("0.01");
/** Currencies that the solver accepts without a swap. */
const solverSymbols: ReadonlySet<TestSymbol> = new Set(["ETH", "USDC"]);

/** Quotes an intent and executes the drawn action; does not wait for its end. */
export async function carryOutIntent(
  drawn: DrawnIntent,
  purse: PrivateKeyAccount,
  scene: Scene,
): Promise<Outcome> {
  const { emulator } = scene.fixture;
  const nothing = { drawn, gas: new Map(), hashes: [], purse, spendings: [] };
  const quote = await ask(drawn, purse, scene);
  if (quote === undefined) return { ...nothing, quote, requestId: undefined };
  const requestId = requestIdOf(quote);
  for (const fault of drawn.faults) {
    const isBroke = fault.kind === "solver-broke";
    await emulator.control.faults.add(isBroke ? fault : ({ ...fault, requestId } as typeof fault));
  }
  if (drawn.tampering === "recipient refuses") await setCode(drawn.destination, drawn.recipient, reverting);
  if (drawn.tampering === "refundTo refuses") await setCode(drawn.origin, drawn.refundTo, reverting);
  if (drawn.movesPool) await scene.movePool(drawn.destination, "USDC", drawn.to === "WETH" ? "WETH" : "USDT");
  const stranger =
    drawn.tampering === "stranger" && quote.protocol?.v2 !== undefined
      ? [await scene.payAsStranger(drawn.origin, quote.protocol.v2.orderId, stray)]
      : [];
  const sent = await sendAll(
    sendingsOf(drawn, quote, emulator.info.solver),
    purse,
    quote.protocol?.v2 === undefined,
  );
  return { ...nothing, ...sent, hashes: [...stranger, ...sent.hashes], quote, requestId };
}

async function ask(drawn: DrawnIntent, purse: PrivateKeyAccount, { fixture }: Scene) {
  const { amount, appFees, destination, from, origin, recipient, refundTo, to, tradeType, txs } = drawn;
  const { slippageTolerance } = drawn;
  return getQuote(fixture.client, {
    amount,
    appFees: [...appFees],
    destinationChainId: destination.info.id,
    destinationCurrency: destination.currency(to),
    originChainId: origin.info.id,
    originCurrency: origin.currency(from),
    recipient,
    refundTo,
    tradeType,
    user: purse.address,
    ...(txs.length > 0 && { txs: [...txs] }),
    ...(slippageTolerance !== undefined && { slippageTolerance }),
  }).catch((error: unknown) => {
    // A refused quote has no payment.
    if (error instanceof HttpError && error.status === 400) return undefined;
    throw error;
  });
}

/** Transactions of the purse: the steps of the quote, or the drawn replacement. */
function sendingsOf(drawn: DrawnIntent, quote: Quote, solver: Address): readonly Sending[] {
  const { from, origin, tampering, tradeType } = drawn;
  const orderId = quote.protocol?.v2?.orderId;
  const isOwn = orderId === undefined;
  const paid = BigInt(quote.details.currencyIn.amount);
  // Before a deposit of an exact output, too, the pool leaves a part of the payment.
  const hasRoom = quote.details.route?.origin?.inputCurrency?.amount !== quote.details.currencyIn.amount;
  const isLimit = isOwn ? tradeType !== "EXACT_INPUT" : hasRoom;
  const asQuoted = quote.steps.flatMap(({ id, items }) =>
    items.map(({ data }): Sending => {
      const { data: calldata = "0x", to, value } = data as { to: Address; data?: Hex; value: string };
      const spends = id === "approve" ? undefined : { amount: paid, chain: origin, isLimit, symbol: from };
      return { call: { data: calldata, to, value: BigInt(value) }, chain: origin, spends };
    }),
  );
  const strayed = (chain: TestChain, to: Address, data: Hex): Sending => ({
    call: { data, to, value: stray },
    chain,
    spends: { amount: stray, chain, isLimit: false, symbol: "ETH" },
  });
  const tag = orderId ?? requestIdOf(quote);
  const { depository, relayReceiver } = origin.info.contracts;
  switch (tampering) {
    case "never":
    case "stranger":
      return [];
    case "orphan":
      return [
        strayed(origin, depository, depositTo(drawn, requestIdOf(quote).replace(/.{8}$/, "00c0ffee") as Hex)),
      ];
    case "other chain": {
      const elsewhere = drawn.destination === origin ? undefined : drawn.destination;
      return elsewhere === undefined
        ? asQuoted
        : [strayed(elsewhere, elsewhere.info.contracts.depository, depositTo(drawn, tag))];
    }
    case "other currency":
      // A swapped input is deposited in one of these two, and ETH would be correct.
      return from === "USDC" || from === "USDT" ? [strayed(origin, solver, tag)] : asQuoted;
    default:
      break;
  }
  if (isOwn || tampering === undefined || !solverSymbols.has(from)) return asQuoted;
  const payInstead = (amount: bigint, way: "depository" | "solver" | "receiver"): readonly Sending[] => {
    const call = paymentCall(drawn, { amount, relayReceiver, solver, tag, way });
    const approvals = way === "depository" ? asQuoted.filter(({ spends }) => spends === undefined) : [];
    return [
      ...approvals,
      { call, chain: origin, spends: { amount, chain: origin, isLimit: false, symbol: from } },
    ];
  };
  switch (tampering) {
    case "less":
      return payInstead(paid - 1n, "depository");
    case "one unit more":
      return payInstead(paid + 1n, from === "ETH" ? "depository" : "solver");
    case "double":
      return payInstead(paid * 2n, from === "ETH" ? "depository" : "solver");
    case "more":
      // The allowance covers the quoted amount only.
      return payInstead(paid + paid / 7n, from === "ETH" ? "depository" : "solver");
    case "straight to the solver":
      return payInstead(paid, "solver");
    case "through the receiver":
      return from === "ETH" ? payInstead(paid, "receiver") : payInstead(paid, "solver");
    case "twice":
      return [...payInstead(paid, "solver"), ...payInstead(paid, "solver")];
    default:
      return asQuoted;
  }
}

function depositTo({ refundTo }: DrawnIntent, id: Hex): Hex {
  return depositData({ currency: "0x0000000000000000000000000000000000000000", depositor: refundTo, id });
}

function paymentCall(
  { from, origin, refundTo }: DrawnIntent,
  to: {
    amount: bigint;
    relayReceiver: Address;
    solver: Address;
    tag: Hex;
    way: "depository" | "solver" | "receiver";
  },
): Call {
  const { amount, relayReceiver, solver, tag, way } = to;
  const currency = origin.currency(from);
  const value = from === "ETH" ? amount : 0n;
  if (way === "depository") {
    // The deposit names another account, though the user signs it.
    const data = depositData({ amount, currency, depositor: refundTo, id: tag });
    return { data, to: origin.info.contracts.depository, value };
  }
  if (from === "ETH") return { data: tag, to: way === "solver" ? solver : relayReceiver, value };
  const transfer = erc20Data("transfer", solver, amount);
  return { data: concatHex([transfer, tag]), to: currency, value };
}

async function sendAll(sendings: readonly Sending[], purse: PrivateKeyAccount, isOwn: boolean) {
  const gas = new Map<number, bigint>();
  const hashes: Hex[] = [];
  const spendings: Spending[] = [];
  for (const { call, chain, spends } of sendings) {
    const wallet = createWalletClient({
      account: purse,
      chain: chain.reader.chain,
      transport: http(chain.info.rpcUrl),
    });
    const hash = await wallet.sendTransaction({ ...call, chain: null, gas: gasLimit });
    const { effectiveGasPrice, gasUsed, status } = await chain.reader.waitForTransactionReceipt({ hash });
    gas.set(chain.info.id, (gas.get(chain.info.id) ?? 0n) + effectiveGasPrice * gasUsed);
    if (spends === undefined) continue;
    // A late swap may miss its limits: then nothing moved, and only a user's own transaction ends its request.
    if (status === "success") spendings.push(spends);
    if (status === "success" || isOwn) hashes.push(hash);
  }
  return { gas, hashes, spendings };
}
