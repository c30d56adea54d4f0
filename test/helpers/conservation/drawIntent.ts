import { type Address, parseEther, parseUnits } from "viem";
import type { FaultInput } from "../../../emulator/index.ts";
import type { QuoteCall, TradeType } from "../../../src/client/index.ts";
import type { TestChain } from "../emulatorFixture.ts";
import { erc20Data } from "../erc20Data.ts";
import { symbols, type TestSymbol } from "../quotes/intents.ts";
import type { Draws } from "../seededDraws.ts";

/** Actions that replace the quoted payment. */
const tamperings = [
  "never",
  "less",
  "one unit more",
  "more",
  "double",
  "twice",
  "other currency",
  "other chain",
  "orphan",
  "stranger",
  "straight to the solver",
  "through the receiver",
  "recipient refuses",
  "refundTo refuses",
] as const;
type Tampering = (typeof tamperings)[number];

/** A drawn intent; no other intent has its recipient or refundTo. */
export type DrawnIntent = {
  readonly index: number;
  readonly origin: TestChain;
  readonly destination: TestChain;
  readonly from: TestSymbol;
  readonly to: TestSymbol;
  readonly tradeType: TradeType;
  /** Amount of the fixed side, in smallest units. */
  readonly amount: bigint;
  readonly recipient: Address;
  readonly refundTo: Address;
  readonly slippageTolerance: string | undefined;
  readonly appFees: readonly { readonly recipient: Address; readonly fee: string }[];
  readonly txs: readonly QuoteCall[];
  readonly tampering: Tampering | undefined;
  readonly faults: readonly FaultInput[];
  /** Whether a trade moves a pool between quote and payment. */
  readonly movesPool: boolean;
};

const failReasons = ["SLIPPAGE", "SWAP_USES_TOO_MUCH_GAS", "NO_QUOTES", "SOLVER_CAPACITY_EXCEEDED"] as const;

/** Draws three to three hundred dollars, with digits down to the smallest unit. */
function amountIn(symbol: TestSymbol, draws: Draws): bigint {
  const cents = draws.whole(300, 30_000);
  const dust = BigInt(draws.whole(0, 99));
  const isDollar = symbol === "USDC" || symbol === "USDT";
  return isDollar
    ? parseUnits(`${cents / 100}`, 6) + dust
    : (parseEther("1") * BigInt(cents)) / 250_000n + dust;
}

/** Calls that send the recipient the whole balance: any account could take the rest. */
function callsFor(to: TestSymbol, { currency }: TestChain, recipient: Address, amount: bigint) {
  if (to === "ETH") {
    const part = amount / 3n;
    return [part, amount - part].map((value) => ({ data: "0x" as const, to: recipient, value: `${value}` }));
  }
  const data = erc20Data("transfer", recipient, amount);
  return [{ data, to: currency(to), value: "0" }];
}

function drawFaults(draws: Draws, destination: TestChain, to: TestSymbol): readonly FaultInput[] {
  const failing: FaultInput = { failReason: draws.pick(failReasons), kind: "fill-fails" };
  const delayMs = draws.whole(1, 60);
  return draws.pick<readonly FaultInput[]>([
    [failing],
    [failing, { delayMs, kind: "transient-failure" }],
    [failing, { kind: "refund-rejected" }],
    [{ delayMs, kind: "fill-slow" }],
    [{ delayMs, kind: "deposit-ignored" }],
    [
      {
        count: 1,
        currency: destination.currency(to === "USDT" || to === "USDC" ? "USDC" : "ETH"),
        destinationChainId: destination.info.id,
        kind: "solver-broke",
      },
    ],
  ]);
}

/** Draws all properties of an intent at once, so that other intents do not change it. */
export function drawIntent(
  index: number,
  chains: readonly [TestChain, TestChain],
  draws: Draws,
): DrawnIntent {
  const [origin, other] = draws.chance(0.5) ? chains : ([chains[1], chains[0]] as const);
  const isSameChain = draws.chance(0.25);
  const destination = isSameChain ? origin : other;
  const [from, to] = [draws.pick(symbols), draws.pick(symbols)];
  const tradeType = draws.pick(["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const);
  const amount = amountIn(tradeType === "EXACT_INPUT" ? from : to, draws);
  const recipient = draws.address();
  const hasCalls = tradeType === "EXACT_OUTPUT" && draws.chance(0.4);
  const appFees = draws.chance(0.3)
    ? Array.from({ length: draws.whole(1, 3) }, () => ({
        fee: `${draws.whole(1, 150)}`,
        recipient: draws.address(),
      }))
    : [];
  return {
    amount,
    appFees,
    destination,
    faults: draws.chance(0.25) ? drawFaults(draws, destination, to) : [],
    from,
    index,
    movesPool: draws.chance(0.08),
    origin,
    recipient,
    refundTo: draws.address(),
    slippageTolerance: draws.chance(0.5) ? `${draws.whole(10, 500)}` : undefined,
    tampering: draws.chance(0.3) ? draws.pick(tamperings) : undefined,
    to,
    tradeType,
    txs: hasCalls ? callsFor(to, destination, recipient, amount) : [],
  };
}
