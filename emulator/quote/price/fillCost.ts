import { type Address, type Hex, maxUint256, zeroAddress } from "viem";
import { accountText } from "../../chains/accountText.ts";
import type { Chain, RouterVersion } from "../../chains/Chain.ts";
import { hasCode } from "../../chains/rpc.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { highestPaymentCost } from "../../chains/svm/svmPayment.ts";
import { isEvmChain, isSvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/refusals.ts";
import { amountWorth, oneUsd, type Usd, usdOf } from "../../money/prices.ts";
import { type Fillable, fillCall } from "../../router/fillCall.ts";
import type { Delivery } from "../../router/planDelivery.ts";
import { excessOf, gasOfCalls, oversizeOf } from "../../router/prepareFill.ts";
import { isRevert, revertReason } from "../../router/revertReason.ts";
import { routerTransaction, type Transaction } from "../../router/routerCalls.ts";
import { isSwap, legOutput, pathOf, type SwapLeg } from "../../router/SwapLeg.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "../route/computeAmounts.ts";
import type { PricedRoute } from "../route/planRoute.ts";
import { isDirect, sameChainWork } from "../steps/userTransaction.ts";

const gwei = 10n ** 9n;
/** Placeholder of the requestId and the orderId. Without zero bytes it costs as much gas as the real one. */
const placeholderId: Hex = `0x${"11".repeat(32)}`;
/** A fresh EOA: the first payment to an empty account is the most expensive. */
const placeholderRecipient: Address = "0x1111111111111111111111111111111111111111";

/** Gas price of a chain in wei: base fee and tip. */
export function readGasPrice(chain: Pick<Chain, "head">): bigint {
  return chain.head().baseFeePerGas + gwei;
}

/** Cost of a quote's fill, and its final simulation. */
type FillRun = {
  readonly cost: Usd;
  /** Whether it runs no foreign code and opens no account: then the client cannot raise its cost. */
  readonly isPlain: boolean;
  /**
   * Simulates the fill with the amounts of the quote, if they differ from those of the first simulation: with a fixed
   * input the fees are deducted only now.
   */
  confirm(amounts: Amounts): Promise<void>;
};

/**
 * Estimates the gas cost of the fill. A plain delivery costs the same for every recipient and is simulated once per
 * kind. A fill with foreign code, in calls or at the recipient, is simulated each time.
 */
export async function fillCost(
  read: ReadIntent<Place>,
  destination: SwapLeg,
  amountsWithoutGas: Amounts,
  { routerVersion, solver }: { routerVersion: RouterVersion; solver: Address },
): Promise<FillRun> {
  const { recipient, txs } = read;
  const chain = read.destination;
  if (isSvmChain(chain)) return svmRun(chain, destination, recipient);
  // A transfer on the exchange costs nothing, and always delivers.
  if (!isEvmChain(chain)) return { confirm: async () => undefined, cost: 0n, isPlain: true };
  const topup = topupAmount(read);
  const fillable: Fillable = {
    fill: { currency: destination.from.address, path: [...pathOf(destination)] },
    authorizationList: read.authorizationList,
    recipient,
    requestId: placeholderId,
    routerVersion,
    ...(topup > 0n && { topup: { amount: topup } }),
    txs: [...txs],
  };
  const isPlain = txs.length === 0 && !(await hasCode(chain, recipient));
  const gas = isPlain
    ? await plainGas(fillable, destination, read, chain, solver)
    : await runFill(fillable, amountsWithoutGas, { ...read, destination: chain }, solver);
  const [native] = chain.currencies;
  return {
    confirm: async (amounts) => {
      if (isPlain || amounts.inventory === amountsWithoutGas.inventory) return;
      const simulation = buildSimulation(fillable, quotedDelivery(read, amounts), chain, solver);
      const reason = missingValue(read, amounts);
      await chain.client
        .call({ ...simulation.call, account: solver })
        .catch((cause: unknown) => simulationRefused(cause, { ...simulation, reason }));
    },
    cost: usdOf(gas * readGasPrice(chain), native),
    isPlain,
  };
}

/**
 * The solver pays the fee of its transfer, and opens the recipient's token account. The rent is charged even if that is open
 * now: its owner could close it before the fill. A new wallet must cover its own rent.
 */
async function svmRun(chain: SvmChain, { to }: SwapLeg, recipient: Address): Promise<FillRun> {
  const [native] = chain.currencies;
  return {
    confirm: async ({ amountOut }) => {
      if (to.address !== native.address) return;
      const held = await chain.balanceOf(native.address, recipient);
      const rent = await svmParts(chain).ledger.read((machine) => machine.rentOf(0));
      if (held + amountOut >= rent) return;
      throw new QuoteError("AMOUNT_TOO_LOW", `A new wallet must receive at least ${rent} lamports, its rent`);
    },
    cost: usdOf(await highestPaymentCost(svmParts(chain), { address: accountText(to.address) }), native),
    isPlain: false,
  };
}

type Kind = Pick<ReadIntent, "fixedRate" | "tradeType" | "trueExactOutput">;
type Swapped = Pick<Amounts, "amountOut" | "inventory" | "maximumInventory" | "minimumOut">;

/** The delivery of the quoted deposit, as `planDelivery` makes it. */
function quotedDelivery({ fixedRate, tradeType, trueExactOutput }: Kind, amounts: Swapped): Delivery {
  const { amountOut, inventory, maximumInventory, minimumOut } = amounts;
  if (tradeType !== "EXACT_OUTPUT" && fixedRate === undefined) {
    return { inventory, output: { atLeast: minimumOut } };
  }
  const fixed = { inventory: maximumInventory, output: { exactly: amountOut } };
  const sharesRest = !trueExactOutput && fixedRate === undefined;
  return sharesRest ? { ...fixed, reserve: maximumInventory - inventory } : fixed;
}

const plainGasOf = new WeakMap<Chain["rpc"], Map<string, Promise<bigint>>>();

/** Gas of a plain delivery, which depends on neither amount nor block. */
function plainGas(
  fillable: Fillable,
  leg: SwapLeg,
  read: Kind,
  chain: Chain,
  solver: Address,
): Promise<bigint> {
  const maximumInventory = amountWorth(oneUsd, leg.from, "up");
  // A swap to a fixed output leaves a rest, whose payment costs gas too.
  const inventory = isSwap(leg) ? maximumInventory / 2n : maximumInventory;
  const amountOut = legOutput(leg, inventory);
  const delivery = quotedDelivery(read, { amountOut, inventory, maximumInventory, minimumOut: 1n });
  const known = plainGasOf.get(chain.rpc) ?? new Map<string, Promise<bigint>>();
  plainGasOf.set(chain.rpc, known);
  const isToppedUp = fillable.topup !== undefined;
  const kind = [Object.keys(delivery.output), "reserve" in delivery];
  const key = [fillable.routerVersion, leg.from.address, leg.to.address, isToppedUp, ...kind].join(" ");
  const gas =
    known.get(key) ?? estimate({ ...fillable, recipient: placeholderRecipient }, delivery, chain, solver);
  known.set(key, gas);
  gas.catch(() => known.delete(key));
  return gas;
}

async function runFill(
  fillable: Fillable,
  amounts: Amounts,
  read: ReadIntent<Place, Chain>,
  solver: Address,
): Promise<bigint> {
  const { destination, txsGasLimit: limit } = read;
  const delivery = quotedDelivery(read, amounts);
  const txsGasLimit = limit ?? null;
  const gas = await estimate(fillable, delivery, destination, solver, missingValue(read, amounts));
  const taken = await gasOfCalls({ ...fillable, txsGasLimit }, gas, delivery, destination, solver);
  if (txsGasLimit === null || taken <= BigInt(txsGasLimit)) return gas;
  throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
    errorData: `The calls take ${taken} gas, and \`txsGasLimit\` is ${txsGasLimit}`,
  });
}

async function estimate(
  fillable: Fillable,
  delivery: Delivery,
  chain: Chain,
  solver: Address,
  reason?: string,
): Promise<bigint> {
  const simulation = buildSimulation(fillable, delivery, chain, solver);
  const { call } = simulation;
  const oversize = oversizeOf(call);
  if (oversize !== undefined) throw new QuoteError("INVALID_EXTRA_TXS", oversize);
  const gas = await chain.client
    .estimateGas({ ...call, account: solver })
    .catch((cause: unknown) => simulationRefused(cause, { ...simulation, reason }));
  const errorData = excessOf({ call, gas });
  if (errorData === undefined) return gas;
  throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", { errorData });
}

/** The fill, as the solver sends it. */
function buildSimulation(fillable: Fillable, delivery: Delivery, chain: Chain, solver: Address): Simulation {
  return { call: fillCall(fillable, chain, delivery, solver), chain, from: solver };
}

/**
 * Simulates a same-chain transaction that runs foreign code: calls, or a contract as recipient. The solver is the
 * sender, as it holds every currency and has approved both proxies. The user may lack either.
 */
export async function simulateSameChain(priced: PricedRoute, solver: Address): Promise<bigint> {
  const { amounts, read, routerVersion } = priced;
  if (!(await runsForeignCode(read)) || (await isDirect(priced))) return 0n;
  const context = { deadline: maxUint256, orderId: placeholderId, requestId: placeholderId, solver };
  const chain = read.origin;
  const call = routerTransaction(sameChainWork(priced, context), chain, routerVersion);
  return chain.client.estimateGas({ ...call, account: solver }).catch((cause: unknown) => {
    const reason = missingValue(read, amounts);
    return simulationRefused(cause, { call, chain, from: solver, reason });
  });
}

async function runsForeignCode({ currencyOut, origin, recipient, txs }: ReadIntent): Promise<boolean> {
  if (txs.length > 0) return true;
  return currencyOut.address === zeroAddress && (await hasCode(origin, recipient));
}

/** A transaction that was simulated for a quote. */
type Simulation = {
  readonly call: Transaction;
  readonly chain: Pick<Chain, "head">;
  readonly from: Address;
  /** Reason of the failure, if it is known without the revert data. */
  readonly reason?: string | undefined;
};

/** Refuses the quote of a reverted simulation. Errors of the node itself are rethrown. */
function simulationRefused(cause: unknown, { call, chain, from, reason }: Simulation): never {
  if (!isRevert(cause)) throw cause;
  const { message } = revertReason(cause);
  throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
    approxSimulatedBlock: Number(chain.head().number),
    cause,
    errorData: reason === undefined ? message : `${reason}: ${message}`,
    failedCallData: { data: call.data, from, to: call.to, value: call.value.toString() },
  });
}

/** Describes calls that carry more native currency than the quote delivers; `undefined` if they do not. */
function missingValue(
  { currencyOut, destination, txs }: Pick<ReadIntent, "currencyOut" | "destination" | "txs">,
  { amountOut }: Pick<Amounts, "amountOut">,
): string | undefined {
  const needed = txs.reduce((sum, { value }) => sum + value, 0n);
  const arriving = currencyOut.address === zeroAddress ? amountOut : 0n;
  if (needed <= arriving) return undefined;
  const [native] = destination.currencies;
  return `The calls carry ${needed} wei of ${native.symbol}, and ${arriving} arrives`;
}

/** Native currency of a gas top-up in wei, rounded down; zero without one. */
export function topupAmount(read: Pick<ReadIntent, "destination" | "topup">): bigint {
  return read.topup === 0n ? 0n : amountWorth(read.topup, read.destination.currencies[0], "down");
}
