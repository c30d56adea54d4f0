import { concatHex, encodeFunctionData, erc20Abi, type Hex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { orderLifetimeSeconds } from "../../quote/steps/buildOrder.ts";
import type { Played, RequestScene, ScenarioContext } from "../Scenario.ts";
import { currencyOf, earlier, fund, gasMoney, send } from "../steps/chainActions.ts";
import { depositAt, idsOf, pay, payment, quoteOf, tokenPayment } from "../steps/payments.ts";
import { reached, requestOf } from "../steps/readRequest.ts";

/** Milliseconds by which a late payment is late. */
const lateMs = 1_000;

const refund = { cause: "real", status: "refund" } as const;

/** Deposits that do not match their quote. */
export const depositScenes = {
  DEPOSITED_AMOUNT_TOO_LOW_TO_FILL: {
    ...refund,
    play: async (scenario) => pay(scenario, await quoteOf(scenario), { value: payment - 1n }),
    sentence: "The deposit is one unit below the quote, and is refunded.",
  },
  DEPOSIT_ADDRESS_MISMATCH: {
    ...refund,
    play: payForOwn,
    sentence: "A deposit names a same-chain request, which needs none, and is refunded as a child request.",
  },
  DEPOSIT_CHAIN_MISMATCH: {
    ...refund,
    play: payElsewhere,
    sentence: "The deposit is made on the destination chain, and is refunded there to its depositor.",
  },
  DEPOSIT_REORGED: {
    cause: "real",
    play: payAndLose,
    sentence: "A reorganisation removes the deposit before its fill.",
    status: "failure",
  },
  DOUBLE_SPEND: {
    ...refund,
    play: payTwice,
    sentence: "The request is paid a second time, and the second deposit is refunded as a child request.",
  },
  INCORRECT_DEPOSIT_CURRENCY: {
    ...refund,
    play: payInToken,
    sentence: "The deposit is in USDC instead of the native currency, and is refunded in USDC.",
  },
  INVALID_SENDER: {
    ...refund,
    play: payAsStranger,
    sentence: "Another account pays in its own name, and gets a refund as a child request.",
  },
  ORDER_EXPIRED: {
    ...refund,
    play: (scenario) => payLate(scenario, orderLifetimeSeconds),
    sentence: "The deposit arrives a second after the seven days of its order.",
  },
  ORPHANED_DEPOSIT_REFUND: {
    ...refund,
    play: payNothingKnown,
    sentence: "The deposit's id belongs to no order, and the payer gets a refund as a request of its own.",
  },
  TTL_EXPIRED: {
    ...refund,
    play: (scenario) => payLate(scenario, 60, { ttl: 60 }),
    sentence: "The deposit arrives a second after the minute that the quote's `ttl` allows.",
  },
} as const satisfies Readonly<Record<string, RequestScene>>;

/** Pays a quote made in the past, a second after its time. */
async function payLate(scenario: ScenarioContext, seconds: number, wanted = {}): Promise<Played> {
  const quote = await quoteOf(scenario, wanted, scenario.serviceIn(earlier(seconds * 1_000 + lateMs)));
  return pay(scenario, quote);
}

async function payElsewhere(scenario: ScenarioContext): Promise<Played> {
  const { destination } = scenario;
  const ids = idsOf(await quoteOf(scenario));
  await fund(scenario, destination, zeroAddress, payment + gasMoney);
  return { ...ids, depositTxHash: await depositAt(scenario, destination, orderOf(ids)) };
}

async function payTwice(scenario: ScenarioContext): Promise<Played> {
  const { origin } = scenario;
  const paid = await pay(scenario, await quoteOf(scenario));
  await reached(scenario, paid.requestId, "success");
  await fund(scenario, origin, zeroAddress, payment);
  return childOf(scenario, paid, await depositAt(scenario, origin, orderOf(paid)));
}

async function payInToken(scenario: ScenarioContext): Promise<Played> {
  const { origin, solver, user } = scenario;
  const ids = idsOf(await quoteOf(scenario));
  const to = currencyOf(origin, "USDC");
  await fund(scenario, origin, to, tokenPayment);
  await fund(scenario, origin, zeroAddress, gasMoney);
  const transfer = encodeFunctionData({
    abi: erc20Abi,
    args: [solver, tokenPayment],
    functionName: "transfer",
  });
  const data = concatHex([transfer, ids.requestId]);
  return { ...ids, depositTxHash: await send(scenario, origin, user, { data, to }) };
}

async function payAsStranger(scenario: ScenarioContext): Promise<Played> {
  const { origin, random32 } = scenario;
  const ids = idsOf(await quoteOf(scenario));
  const privateKey = random32();
  const payer = { account: privateKeyToAccount(privateKey), privateKey };
  await fund(scenario, origin, zeroAddress, payment + gasMoney, payer.account.address);
  return childOf(scenario, ids, await depositAt(scenario, origin, orderOf(ids), { payer }));
}

async function payNothingKnown(scenario: ScenarioContext): Promise<Played> {
  const { origin, random32 } = scenario;
  await fund(scenario, origin, zeroAddress, payment + gasMoney);
  return childOf(scenario, { orderId: null }, await depositAt(scenario, origin, random32()));
}

async function payForOwn(scenario: ScenarioContext): Promise<Played> {
  const { origin, solver, user } = scenario;
  const quote = await quoteOf(scenario, {
    destinationChainId: origin.definition.id,
    destinationCurrency: currencyOf(origin, "USDC"),
  });
  const ids = idsOf(quote);
  await fund(scenario, origin, zeroAddress, payment + gasMoney);
  const hash = await send(scenario, origin, user, { data: ids.requestId, to: solver, value: payment });
  return childOf(scenario, ids, hash);
}

/** Pays, and removes the block of the deposit while the fill waits. */
async function payAndLose(scenario: ScenarioContext): Promise<Played> {
  const { control, origin } = scenario;
  if (origin.afterChange === undefined) {
    const { name } = origin.definition;
    throw new ControlRefusedError(
      `${name} runs elsewhere, where the deposit's block may share its kept state with others: the scenario needs a local chain.`,
    );
  }
  const { reorgs } = control.config.get();
  if (!reorgs) {
    await control.config.set({ reorgs: true });
    scenario.onEnd(() => control.config.set({ reorgs: false }));
  }
  const quote = await quoteOf(scenario);
  const { requestId } = idsOf(quote);
  await holdFill(scenario, requestId);
  const paid = await pay(scenario, quote);
  await reached(scenario, requestId, "pending");
  await control.chains.reorg({ blocks: 1, chainId: origin.definition.id, returns: false });
  return paid;
}

/** Delays the fill of a request until the end of the scenario. */
export async function holdFill(
  { control, onEnd }: ScenarioContext,
  requestId: Hex,
): Promise<() => Promise<unknown>> {
  const { id } = await control.faults.add({ delayMs: 3_600_000, kind: "fill-slow", requestId });
  const release = () => control.faults.remove(id);
  onEnd(release);
  return release;
}

async function childOf(
  scenario: ScenarioContext,
  { orderId }: Pick<Played, "orderId">,
  hash: Hex,
): Promise<Played> {
  return { depositTxHash: hash, orderId, requestId: await requestOf(scenario, hash) };
}

function orderOf({ orderId }: Pick<Played, "orderId">): Hex {
  if (orderId === null) throw new Error("a quote without an order");
  return orderId;
}
