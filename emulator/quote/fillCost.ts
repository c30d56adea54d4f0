import type { Address, Hex } from "viem";
import type { Chain } from "../chains/Chain.ts";
import { hasCode } from "../chains/hasCode.ts";
import { type Fillable, fillCall } from "../solver/fillCall.ts";
import type { Delivery } from "../solver/planDelivery.ts";
import { gasOfCalls } from "../solver/prepareFill.ts";
import { revertOf } from "../solver/revertOf.ts";
import type { RouterVersion } from "../store/Intent.ts";
import type { Amounts } from "./computeAmounts.ts";
import { type Leg, pathOf } from "./Leg.ts";
import { amountWorth, oneUsd, type Usd, usdOf } from "./prices.ts";
import { QuoteError } from "./QuoteError.ts";
import type { ReadIntent } from "./readIntent.ts";

const gwei = 10n ** 9n;
/** The request has no id yet; one without zero bytes costs what the real one will. */
const placeholderRequestId: Hex = `0x${"11".repeat(32)}`;
/** Somebody without code and without money: whoever is paid for the first time costs the most. */
const placeholderRecipient: Address = "0x1111111111111111111111111111111111111111";

/** What gas costs on a chain: its base fee, and a tip. */
export function gasPriceOf(chain: Pick<Chain, "head">): bigint {
  return chain.head().baseFeePerGas + gwei;
}

/**
 * What the fill's gas will cost. A fill that only delivers costs the same whoever gets it, and is run once for each way of
 * delivering; one that runs code of somebody else, in calls or at the recipient, is run each time.
 *
 * @param amountsWithoutGas The amounts if gas were free: close enough to run the fill with.
 * @throws QuoteError `DESTINATION_TX_FAILED` when the fill reverts, with the reason and the call to replay.
 */
export async function fillCost(
  read: ReadIntent,
  destination: Leg,
  amountsWithoutGas: Amounts,
  { routerVersion, solver }: { routerVersion: RouterVersion; solver: Address },
): Promise<Usd> {
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
    : await runFill(fillable, deliveryOf(read, amountsWithoutGas), read, solver);
  const [native] = chain.currencies;
  if (native === undefined) throw new Error("a chain without a native currency");
  return usdOf(gas * gasPriceOf(chain), native);
}

function deliveryOf({ tradeType }: ReadIntent, amounts: Amounts): Delivery {
  return tradeType === "EXACT_OUTPUT"
    ? { inventory: amounts.maximumInventory, output: { exactly: amounts.amountOut } }
    : { inventory: amounts.inventory, output: { atLeast: amounts.minimumOut } };
}

const plainGasOf = new WeakMap<Chain["rpc"], Map<string, Promise<bigint>>>();

/** Gas of a fill that only delivers: it does not depend on the amount, and not on the block. */
function plainGas(fillable: Fillable, leg: Leg, chain: Chain, solver: Address): Promise<bigint> {
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
  delivery: Delivery,
  { destination, txsGasLimit: limit }: ReadIntent,
  solver: Address,
): Promise<bigint> {
  const txsGasLimit = limit ?? null;
  const gas = await estimate(fillable, delivery, destination, solver);
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
): Promise<bigint> {
  const call = fillCall(fillable, chain, delivery, solver);
  return chain.client.estimateGas({ ...call, account: solver }).catch((cause: unknown) => {
    throw new QuoteError("DESTINATION_TX_FAILED", "Destination transaction failed", {
      cause,
      errorData: revertOf(cause).message,
      failedCallData: { data: call.data, from: solver, to: call.to, value: call.value.toString() },
    });
  });
}
