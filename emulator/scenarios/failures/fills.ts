import { type Address, encodeFunctionData, parseAbi, parseUnits, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { usdDigits, usdOf } from "../../money/prices.ts";
import type { Played, RequestScene, Stage } from "../Scenario.ts";
import {
  currencyOf,
  fund,
  gasMoney,
  reserveContract,
  revertingWith,
  send,
  shift,
} from "../stage/chainActions.ts";
import { earlier } from "../stage/openStage.ts";
import { freshAddress, idsOf, pay, payment, quoteOf, quoteToken } from "../stage/payments.ts";
import { reached } from "../stage/readRequest.ts";
import { holdFill } from "./deposits.ts";

const poolAbi = parseAbi(["function sync()"]);
const refund = { cause: "real", status: "refund" } as const;

export const fillScenes = {
  DESTINATION_TOKEN_TRANSFER_REJECTED: {
    ...refund,
    play: payRejecting,
    sentence: "The recipient is a contract that rejects native currency.",
  },
  PROTOCOL_DEADLINE_EXPIRED: {
    ...refund,
    play: payJustInTime,
    sentence: "The deposit is in time, and the order's deadline passes before the fill.",
  },
  SLIPPAGE: {
    ...refund,
    play: paySlipping,
    sentence:
      "The pool of the destination moves by one percent between quote and fill, and the quote allows a tenth of a percent.",
  },
  SOLVER_BALANCE_TOO_LOW: {
    ...refund,
    play: payTooMuchTogether,
    sentence: "Two requests each take six tenths of the solver's USDC, and the second is refunded.",
  },
  SOLVER_CAPACITY_EXCEEDED: {
    ...refund,
    play: payAboveCapacity,
    sentence: "The request was quoted under a higher limit than the solver lends at the fill.",
  },
  TRANSACTION_REVERTED: {
    cause: "real",
    play: payOwnReverting,
    sentence: "The user's own same-chain transaction runs out of gas: nothing moved.",
    status: "failure",
  },
} as const satisfies Readonly<Record<string, RequestScene>>;

async function payRejecting(stage: Stage): Promise<Played> {
  const { address, place } = await reserveContract(stage, stage.destination, revertingWith("no payments"));
  const quote = await quoteOf(stage, { recipient: address });
  await place();
  return pay(stage, quote);
}

/** Milliseconds from the quote to its deadline: the next one where a busy machine needs longer than that to pay. */
const margins = [400, 2_000, 10_000];

async function payJustInTime(stage: Stage): Promise<Played> {
  const { now } = stage;
  const begun = now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (now() === begun) {
    throw new ControlRefusedError("The clock stands still, so that no deadline passes: resume it.");
  }
  for (const marginMs of margins) {
    const paid = await payWithin(stage, marginMs);
    if (paid !== undefined) return paid;
  }
  throw new ControlRefusedError(`No deposit was found within ${margins.at(-1)} ms.`);
}

/** Pays, and holds the fill until the deadline has passed. Returns `undefined` if the deposit may be late. */
async function payWithin(stage: Stage, marginMs: number): Promise<Played | undefined> {
  const { now, origin, serviceIn, until } = stage;
  const ttl = 60;
  await fund(stage, origin, zeroAddress, payment + gasMoney);
  const quote = await quoteOf(stage, { ttl }, serviceIn(earlier(ttl * 1_000 - marginMs)));
  const deadline = now() + marginMs;
  const { requestId } = idsOf(quote);
  const release = await holdFill(stage, requestId);
  const paid = await pay(stage, quote);
  await reached(stage, requestId, "pending", "refund");
  const isInTime = now() < deadline;
  await until(async () => now() > deadline || undefined, "the deadline");
  await release();
  return isInTime ? paid : undefined;
}

async function paySlipping(stage: Stage): Promise<Played> {
  const { destination } = stage;
  const destinationCurrency = currencyOf(destination, "USDT");
  const quote = await quoteToken(stage, "USDC", { destinationCurrency, slippageTolerance: "10" });
  await movePool(stage, destination);
  return pay(stage, quote);
}

/** Adds half a percent of USDC to the pool of USDC and USDT, and takes it back at the end. */
async function movePool(stage: Stage, chain: Chain): Promise<void> {
  const { control, user } = stage;
  const currency = currencyOf(chain, "USDC");
  const tokens = [currency, currencyOf(chain, "USDT")];
  const pair = chain.swap.pairs.find((each) => each.tokens.every((token) => isOneOf(tokens, token)));
  if (pair === undefined) {
    throw new ControlRefusedError(`${chain.definition.name} has no pool of USDC and USDT.`);
  }
  const of = { account: pair.address, chainId: chain.definition.id, currency };
  await fund(stage, chain, zeroAddress, gasMoney);
  const added = (await control.balances.get(of)) / 200n;
  const move = async (change: bigint) => {
    await shift(stage, of, change);
    const data = encodeFunctionData({ abi: poolAbi, functionName: "sync" });
    await send(stage, chain, user, { data, to: pair.address });
  };
  stage.onEnd(() => move(-added));
  await move(added);
}

function isOneOf(tokens: readonly Address[], token: Address): boolean {
  return tokens.some((each) => each.toLowerCase() === token.toLowerCase());
}

async function payTooMuchTogether(stage: Stage): Promise<Played> {
  const { control, destination, origin, solver } = stage;
  const account = solver;
  const of = { account, chainId: destination.definition.id, currency: currencyOf(destination, "USDC") };
  const amount = ((await control.balances.get(of)) * 6n) / 10n;
  const [refundTo, recipient] = [freshAddress(stage), freshAddress(stage)];
  const wanted = { recipient, refundTo, useExternalLiquidity: true };
  const first = await quoteToken(stage, "USDC", wanted, amount);
  const second = await quoteToken(stage, "USDC", wanted, amount);
  returnAtEnd(stage, { currency: currencyOf(origin, "USDC"), paid: 2n * amount, refundTo });
  stage.onEnd(async () => {
    const received = await control.balances.get({ ...of, account: recipient });
    await shift(stage, of, received);
    await shift(stage, { ...of, account: recipient }, -received);
  });
  const { requestId } = await pay(stage, first);
  await reached(stage, requestId, "success");
  return pay(stage, second);
}

async function payAboveCapacity(stage: Stage): Promise<Played> {
  const { control, origin, serviceIn } = stage;
  const [native] = origin.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  const capacity = parseUnits(control.config.get().capacityPerRequest, usdDigits);
  const whole = 10n ** BigInt(native.decimals);
  // A hundredth above the limit covers the fees.
  const amount = (((capacity * 101n) / 100n) * whole) / usdOf(whole, native);
  const refundTo = freshAddress(stage);
  const service = serviceIn(({ quoting }) => ({
    quoting: { ...quoting, capacityPerRequest: capacity * 2n },
  }));
  const quote = await quoteOf(stage, { amount, refundTo }, service);
  returnAtEnd(stage, { currency: native.address, paid: amount, refundTo });
  return pay(stage, quote);
}

/** Returns a large payment at the end: the refund to the solver, which paid it, and the deposit to nothing. */
function returnAtEnd(
  stage: Stage,
  { currency, paid, refundTo }: { currency: Address; paid: bigint; refundTo: Address },
): void {
  const { control, origin, solver } = stage;
  const of = { chainId: origin.definition.id, currency };
  stage.onEnd(async () => {
    const refunded = await control.balances.get({ ...of, account: refundTo });
    await shift(stage, { ...of, account: refundTo }, -refunded);
    await shift(stage, { ...of, account: solver }, refunded);
    await shift(stage, { ...of, account: origin.contracts.depository }, -paid);
  });
}

async function payOwnReverting(stage: Stage): Promise<Played> {
  const { origin } = stage;
  const quote = await quoteOf(stage, {
    destinationChainId: origin.definition.id,
    destinationCurrency: currencyOf(origin, "USDC"),
  });
  return pay(stage, quote, { gas: 60_000n });
}
