import type { Address, Hex } from "viem";
import type { Chain } from "../../chains/Chain.ts";
import { hasCode } from "../../chains/hasCode.ts";
import type { RouterVersion } from "../../chains/RouterVersion.ts";
import { QuoteError } from "../../errors/QuoteError.ts";
import { amountWorth, oneUsd, type Usd, usdOf } from "../../money/prices.ts";
import { type Fillable, fillCall } from "../../router/fillCall.ts";
import type { Delivery } from "../../router/planDelivery.ts";
import { excessOf, gasOfCalls } from "../../router/prepareFill.ts";
import { pathOf, type SwapLeg } from "../../router/SwapLeg.ts";
import type { ReadIntent } from "../request/readIntent.ts";
import type { Amounts } from "../route/computeAmounts.ts";
import { missingValue, type Simulation, simulationRefused } from "./simulationRefused.ts";

const gwei = 10n ** 9n;
/** The request has no id yet; one without zero bytes costs what the real one will. */
const placeholderRequestId: Hex = `0x${"11".repeat(32)}`;
/** Somebody without code and without money: whoever is paid for the first time costs the most. */
const placeholderRecipient: Address = "0x1111111111111111111111111111111111111111";

/** What gas costs on a chain: its base fee, and a tip. */
export function gasPriceOf(chain: Pick<Chain, "head">): bigint {
  return chain.head().baseFeePerGas + gwei;
}

/** What the fill of a quote costs, and whether it works. */
export type FillRun = {
  readonly cost: Usd;
  /**
   * Runs the fill with the amounts that the quote promises, where that can tell more than the run for its cost: the fees are
   * off a fixed input only now.
   *
   * @throws QuoteError `DESTINATION_TX_FAILED` when it reverts.
   */
  confirm(amounts: Amounts): Promise<void>;
};

/**
 * What the fill's gas will cost. A fill that only delivers costs the same whoever gets it, and is run once for each way of
 * delivering; one that runs code of somebody else, in calls or at the recipient, is run each time.
 *
 * @param amountsWithoutGas The amounts if gas were free: close enough to run the fill with.
 * @throws QuoteError `DESTINATION_TX_FAILED` when the fill reverts, with the reason and the call to replay.
 */
export async function fillCost(
  read: ReadIntent,
  destination: SwapLeg,
  amountsWithoutGas: Amounts,
  { routerVersion, solver }: { routerVersion: RouterVersion; solver: Address },
): Promise<FillRun> {
  const { recipient, txs } = read;
  const chain = read.destination;
  const fillable: Fillable = {
    fill: { currency: destination.from.address, path: [...pathOf(destination)] },
    recipient,
    requestId: placeholderRequestId,
    routerVersion,
    txs: [...txs],
  };
  const isPlain = txs.length === 0 && !(await hasCode(chain, recipient));
  const gas = isPlain
    ? await plainGas(fillable, destination, chain, solver)
    : await runFill(fillable, amountsWithoutGas, read, solver);
  const [native] = chain.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return {
    confirm: async (amounts) => {
      if (isPlain || amounts.inventory === amountsWithoutGas.inventory) return;
      const simulation = simulationOf(fillable, deliveryOf(read, amounts), chain, solver);
      const reason = missingValue(read, amounts);
      await chain.client
        .call({ ...simulation.call, account: solver })
        .catch((cause: unknown) => simulationRefused(cause, { ...simulation, reason }));
    },
    cost: usdOf(gas * gasPriceOf(chain), native),
  };
}

function deliveryOf({ tradeType }: ReadIntent, amounts: Amounts): Delivery {
  return tradeType === "EXACT_OUTPUT"
    ? { inventory: amounts.maximumInventory, output: { exactly: amounts.amountOut } }
    : { inventory: amounts.inventory, output: { atLeast: amounts.minimumOut } };
}

const plainGasOf = new WeakMap<Chain["rpc"], Map<string, Promise<bigint>>>();

/** Gas of a fill that only delivers: it does not depend on the amount, and not on the block. */
function plainGas(fillable: Fillable, leg: SwapLeg, chain: Chain, solver: Address): Promise<bigint> {
  const known = plainGasOf.get(chain.rpc) ?? new Map<string, Promise<bigint>>();
  plainGasOf.set(chain.rpc, known);
  const key = [fillable.routerVersion, leg.from.address, leg.to.address].join(" ");
  const gas =
    known.get(key) ??
    estimate(
      { ...fillable, recipient: placeholderRecipient },
      { inventory: amountWorth(oneUsd, leg.from, "up"), output: { atLeast: 1n } },
      chain,
      solver,
    );
  known.set(key, gas);
  gas.catch(() => known.delete(key));
  return gas;
}

async function runFill(
  fillable: Fillable,
  amounts: Amounts,
  read: ReadIntent,
  solver: Address,
): Promise<bigint> {
  const { destination, txsGasLimit: limit } = read;
  const delivery = deliveryOf(read, amounts);
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
  const simulation = simulationOf(fillable, delivery, chain, solver);
  const { call } = simulation;
  const gas = await chain.client
    .estimateGas({ ...call, account: solver })
    .catch((cause: unknown) => simulationRefused(cause, { ...simulation, reason }));
  const errorData = excessOf({ call, gas });
  if (errorData === undefined) return gas;
  throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", { errorData });
}

/** The fill as the solver will send it. */
function simulationOf(fillable: Fillable, delivery: Delivery, chain: Chain, solver: Address): Simulation {
  return { call: fillCall(fillable, chain, delivery, solver), chain, from: solver };
}
