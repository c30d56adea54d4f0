import { type Address, encodeFunctionData, parseAbi, parseUnits, zeroAddress } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { usdDigits, usdOf } from "../../money/prices.ts";
import type { Played, RequestScene, ScenarioContext } from "../Scenario.ts";
import {
  currencyOf,
  earlier,
  fund,
  gasMoney,
  reserveContract,
  revertingWith,
  send,
  shift,
} from "../steps/chainActions.ts";
import { freshAddress, idsOf, pay, payment, quoteOf, quoteToken } from "../steps/payments.ts";
import { reached } from "../steps/readRequest.ts";
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

async function payRejecting(scenario: ScenarioContext): Promise<Played> {
  const { address, place } = await reserveContract(
    scenario,
    scenario.destination,
    revertingWith("no payments"),
  );
  const quote = await quoteOf(scenario, { recipient: address });
  await place();
  return pay(scenario, quote);
}

/** Milliseconds from the quote to its deadline: the next one where a busy machine needs longer than that to pay. */
const margins = [400, 2_000, 10_000];

async function payJustInTime(scenario: ScenarioContext): Promise<Played> {
  const { now } = scenario;
  const begun = now();
  await new Promise((resolve) => setTimeout(resolve, 5));
  if (now() === begun) {
    throw new ControlRefusedError("The clock stands still, so that no deadline passes: resume it.");
  }
  for (const marginMs of margins) {
    const paid = await payWithin(scenario, marginMs);
    if (paid !== undefined) return paid;
  }
  throw new ControlRefusedError(`No deposit was found within ${margins.at(-1)} ms.`);
}

/** Pays, and holds the fill until the deadline has passed. Returns `undefined` if the deposit may be late. */
async function payWithin(scenario: ScenarioContext, marginMs: number): Promise<Played | undefined> {
  const { now, origin, serviceIn, until } = scenario;
  const ttl = 60;
  await fund(scenario, origin, zeroAddress, payment + gasMoney);
  const quote = await quoteOf(scenario, { ttl }, serviceIn(earlier(ttl * 1_000 - marginMs)));
  const deadline = now() + marginMs;
  const { requestId } = idsOf(quote);
  const release = await holdFill(scenario, requestId);
  const paid = await pay(scenario, quote);
  await reached(scenario, requestId, "pending", "refund");
  const isInTime = now() < deadline;
  await until(async () => now() > deadline || undefined, "the deadline");
  await release();
  return isInTime ? paid : undefined;
}

async function paySlipping(scenario: ScenarioContext): Promise<Played> {
  const { destination } = scenario;
  const destinationCurrency = currencyOf(destination, "USDT");
  const quote = await quoteToken(scenario, "USDC", { destinationCurrency, slippageTolerance: "10" });
  await movePool(scenario, destination);
  return pay(scenario, quote);
}

/** Adds half a percent of USDC to the pool of USDC and USDT, and takes it back at the end. */
async function movePool(scenario: ScenarioContext, chain: Chain): Promise<void> {
  const { control, user } = scenario;
  const currency = currencyOf(chain, "USDC");
  const tokens = [currency, currencyOf(chain, "USDT")];
  const pair = chain.swap.pairs.find((each) => each.tokens.every((token) => isOneOf(tokens, token)));
  if (pair === undefined) {
    throw new ControlRefusedError(`${chain.definition.name} has no pool of USDC and USDT.`);
  }
  const of = { account: pair.address, chainId: chain.definition.id, currency };
  await fund(scenario, chain, zeroAddress, gasMoney);
  const added = (await control.balances.get(of)) / 200n;
  const move = async (change: bigint) => {
    await shift(scenario, of, change);
    const data = encodeFunctionData({ abi: poolAbi, functionName: "sync" });
    await send(scenario, chain, user, { data, to: pair.address });
  };
  scenario.onEnd(() => move(-added));
  await move(added);
}

function isOneOf(tokens: readonly Address[], token: Address): boolean {
  return tokens.some((each) => each.toLowerCase() === token.toLowerCase());
}

async function payTooMuchTogether(scenario: ScenarioContext): Promise<Played> {
  const { control, destination, origin, solver } = scenario;
  const account = solver;
  const of = { account, chainId: destination.definition.id, currency: currencyOf(destination, "USDC") };
  const amount = ((await control.balances.get(of)) * 6n) / 10n;
  const [refundTo, recipient] = [freshAddress(scenario), freshAddress(scenario)];
  const wanted = { recipient, refundTo, useExternalLiquidity: true };
  const first = await quoteToken(scenario, "USDC", wanted, amount);
  const second = await quoteToken(scenario, "USDC", wanted, amount);
  returnAtEnd(scenario, { currency: currencyOf(origin, "USDC"), paid: 2n * amount, refundTo });
  scenario.onEnd(async () => {
    const received = await control.balances.get({ ...of, account: recipient });
    await shift(scenario, of, received);
    await shift(scenario, { ...of, account: recipient }, -received);
  });
  const { requestId } = await pay(scenario, first);
  await reached(scenario, requestId, "success");
  return pay(scenario, second);
}

async function payAboveCapacity(scenario: ScenarioContext): Promise<Played> {
  const { control, origin, serviceIn } = scenario;
  const [native] = origin.currencies;
  const capacity = parseUnits(control.config.get().capacityPerRequest, usdDigits);
  const whole = 10n ** BigInt(native.decimals);
  // A hundredth above the limit covers the fees.
  const amount = (((capacity * 101n) / 100n) * whole) / usdOf(whole, native);
  const refundTo = freshAddress(scenario);
  const service = serviceIn(({ quoting }) => ({
    quoting: { ...quoting, capacityPerRequest: capacity * 2n },
  }));
  const quote = await quoteOf(scenario, { amount, refundTo }, service);
  returnAtEnd(scenario, { currency: native.address, paid: amount, refundTo });
  return pay(scenario, quote);
}

/** Returns a large payment at the end: the refund to the solver, which paid it, and the deposit to nothing. */
function returnAtEnd(
  scenario: ScenarioContext,
  { currency, paid, refundTo }: { currency: Address; paid: bigint; refundTo: Address },
): void {
  const { control, origin, solver } = scenario;
  const of = { chainId: origin.definition.id, currency };
  scenario.onEnd(async () => {
    const refunded = await control.balances.get({ ...of, account: refundTo });
    await shift(scenario, { ...of, account: refundTo }, -refunded);
    await shift(scenario, { ...of, account: solver }, refunded);
    await shift(scenario, { ...of, account: origin.contracts.depository }, -paid);
  });
}

async function payOwnReverting(scenario: ScenarioContext): Promise<Played> {
  const { origin } = scenario;
  const quote = await quoteOf(scenario, {
    destinationChainId: origin.definition.id,
    destinationCurrency: currencyOf(origin, "USDC"),
  });
  return pay(scenario, quote, { gas: 60_000n });
}
