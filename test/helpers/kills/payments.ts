import { type Address, encodeFunctionData, type Hex, parseEther, parseUnits, zeroAddress } from "viem";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { type Client, getQuote, type Quote } from "../../../src/client/index.ts";
import { amountOf, minimumAmountOf } from "../../../src/schema/amount.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { reverting, setCode } from "../failureStage.ts";
import type { Draws } from "../seededDraws.ts";

/** Ways to pay, each with one end that is right. */
export const paymentKinds = [
  "native",
  "token",
  "swapped",
  "twice",
  "too little",
  "recipient refuses",
  "orphan",
  "own",
] as const;
export type PaymentKind = (typeof paymentKinds)[number];

/** What was paid, and what must come of it: the accounts are nobody else's. */
export type Payment = {
  readonly kind: PaymentKind;
  /** The request that was quoted; orphans name none. */
  readonly requestId: Hex | undefined;
  /** Each is a deposit, or the user's own transaction. */
  readonly hashes: readonly Hex[];
  readonly origin: TestChain;
  readonly destination: TestChain;
  readonly recipient: Address;
  readonly refundTo: Address;
  /** What arrives with the recipient, when it is filled: so much, or at least so much. */
  readonly promised: bigint;
  readonly fills: number;
  readonly refunds: number;
  /** What each deposit brings; a refund is less, by its gas. */
  readonly deposited: bigint;
};

/** Where and by whom is paid. */
export type Payer = {
  readonly client: Client;
  readonly origin: TestChain;
  readonly destination: TestChain;
  /** Of the test mnemonic's accounts. */
  readonly index: number;
};

type Ends = Pick<Payment, "fills" | "refunds">;

const ends: Readonly<Record<PaymentKind, Ends>> = {
  native: { fills: 1, refunds: 0 },
  orphan: { fills: 0, refunds: 1 },
  own: { fills: 0, refunds: 0 },
  "recipient refuses": { fills: 0, refunds: 1 },
  swapped: { fills: 1, refunds: 0 },
  token: { fills: 1, refunds: 0 },
  "too little": { fills: 0, refunds: 1 },
  twice: { fills: 1, refunds: 1 },
};

const ether = parseEther("0.01");
const dollars = parseUnits("25", 6);
const gas = 1_000_000n;

/**
 * Quotes and pays, and waits for the blocks and for nothing else.
 *
 * @param ask Asks for the quote until somebody answers; `undefined` when nobody is going to.
 */
export async function pay(
  kind: PaymentKind,
  payer: Payer,
  draws: Draws,
  ask: (quote: () => Promise<Quote>) => Promise<Quote | undefined>,
): Promise<Payment | undefined> {
  const { client, destination, index, origin } = payer;
  const accounts = { recipient: draws.address(), refundTo: draws.address() };
  const shared = { ...accounts, ...ends[kind], destination, kind, origin };
  if (kind === "orphan") {
    const data = depositNative(accounts.refundTo, draws.bytes32());
    const hash = await send(origin, index, { data, to: origin.info.contracts.depository, value: ether });
    return { ...shared, deposited: ether, hashes: [hash], promised: 0n, requestId: undefined };
  }
  const isToken = kind === "token";
  const symbol = { own: "USDC", swapped: "USDT", token: "USDC" }[kind as string] ?? "ETH";
  const to = kind === "own" ? origin : destination;
  const deposited = isToken ? dollars : ether;
  const quote = await ask(() =>
    getQuote(client, {
      ...accounts,
      amount: deposited,
      destinationChainId: to.info.id,
      destinationCurrency: to.currency(symbol),
      originChainId: origin.info.id,
      originCurrency: isToken ? origin.currency("USDC") : zeroAddress,
      tradeType: "EXACT_INPUT",
      user: origin.wallet(index).account.address,
    }),
  );
  if (quote === undefined) return undefined;
  if (kind === "recipient refuses") await setCode(destination, accounts.recipient, reverting);
  const hashes: Hex[] = [];
  for (const step of quote.steps) {
    for (const { data } of step.items) {
      const call = data as { to: Address; data: Hex; value: string };
      const value = BigInt(call.value) - (kind === "too little" ? 1n : 0n);
      const hash = await send(origin, index, { data: call.data, to: call.to, value });
      if (step.id === "approve") continue;
      hashes.push(hash);
      if (kind === "twice") hashes.push(await send(origin, index, { data: call.data, to: call.to, value }));
    }
  }
  const { currencyOut } = quote.details;
  const promised =
    kind === "swapped" || kind === "own" ? minimumAmountOf(currencyOut) : amountOf(currencyOut);
  return { ...shared, deposited, hashes, promised, requestId: quote.steps[0]?.requestId as Hex };
}

async function send(chain: TestChain, index: number, call: { to: Address; data: Hex; value: bigint }) {
  const hash = await chain.wallet(index).sendTransaction({ ...call, gas });
  const { status } = await chain.reader.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`the payment ${hash} reverted`);
  return hash;
}

function depositNative(depositor: Address, id: Hex): Hex {
  return encodeFunctionData({
    abi: relayDepositoryAbi,
    args: [depositor, id],
    functionName: "depositNative",
  });
}
