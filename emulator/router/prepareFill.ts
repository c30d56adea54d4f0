import { type Address, type Hex, size, zeroAddress } from "viem";
import type { FailReason } from "../../src/schema/request/failReason.ts";
import type { Chain } from "../chains/Chain.ts";
import { gasCeiling } from "../chains/evm/capGas.ts";
import { balanceOf, latestHead } from "../chains/rpc.ts";
import type { Context } from "../context/Context.ts";
import type { FailedCall } from "../requests/applyTrigger.ts";
import type { Intent } from "../requests/Intent.ts";
import { authorizationRefusal } from "./authorizationRefusal.ts";
import { type Fillable, fillCall, type SolverCall } from "./fillCall.ts";
import type { Delivery, Shortfall } from "./planDelivery.ts";
import { isRevert, type Revert, revertReason } from "./revertReason.ts";

/** A transaction that succeeds on the chain's present state, or why none does. */
type Prepared = Estimated | Unprepared;

/** Why there is no transaction. */
type Unprepared = {
  readonly failReason: FailReason;
  readonly details: string;
  /** Call that reverted; absent when nothing was run. */
  readonly failedCall?: FailedCall;
  /** Data of the revert; absent when nothing was run. */
  readonly revertData?: Hex;
  /** Distance of the output below the promise, where that is known without running anything. */
  readonly shortfall?: Shortfall;
};

/** Messages of Uniswap's router when a pool moved beyond the swap's limits. */
export const slippageReverts = /INSUFFICIENT_OUTPUT_AMOUNT|EXCESSIVE_INPUT_AMOUNT|INSUFFICIENT_LIQUIDITY/;

/** Prepares the fill of an intent, revalidated on the present state of its chain. */
export async function prepareFill(
  intent: Intent,
  delivery: Delivery | Shortfall,
  chain: Chain,
  { accounts }: Pick<Context, "accounts">,
): Promise<Prepared> {
  if (!("inventory" in delivery)) return refuseShortfall(delivery);
  const solver = accounts.solver.account.address;
  if ((await balanceOf(chain, intent.fill.currency, solver)) < delivery.inventory) {
    return { details: "The solver does not hold the output", failReason: "SOLVER_BALANCE_TOO_LOW" };
  }
  if (intent.topup && (await balanceOf(chain, zeroAddress, solver)) < intent.topup.amount) {
    return { details: "The solver does not hold the gas top-up", failReason: "SOLVER_BALANCE_TOO_LOW" };
  }
  const unauthorized = await authorizationRefusal(intent, chain);
  if (unauthorized !== undefined) return unauthorized;
  const prepared = await estimateCall(fillCall(intent, chain, delivery, solver), chain, solver);
  if (!("call" in prepared)) {
    const isSlippage = intent.fill.path.length > 0 && slippageReverts.test(prepared.details);
    return isSlippage ? { ...prepared, failReason: "SLIPPAGE" } : prepared;
  }
  const taken = await gasOfCalls(intent, prepared.gas, delivery, chain, solver);
  if (intent.txsGasLimit === null || taken <= BigInt(intent.txsGasLimit)) return withReserve(prepared);
  return {
    details: `The calls take ${taken} gas, and the quote allows ${intent.txsGasLimit}`,
    failReason: "QUOTED_GAS_LIMIT_EXCEEDED",
  };
}

export function refuseShortfall(delivery: Shortfall): Unprepared {
  const { minimumAmount, output } = delivery;
  const details = `The output would be ${output}, and ${minimumAmount} was promised`;
  return { details, failReason: "TOO_LITTLE_RECEIVED", shortfall: delivery };
}

/** Gas that the calls of a fill use together; zero without a limit to compare with. */
export async function gasOfCalls(
  fillable: Fillable & Pick<Intent, "txsGasLimit">,
  gas: bigint,
  delivery: Delivery,
  chain: Chain,
  solver: Address,
): Promise<bigint> {
  if (fillable.txsGasLimit === null || fillable.txs.length === 0) return 0n;
  // The same fill with one empty call measures the router and the swap.
  const idle = { ...fillable, txs: [{ data: "0x" as const, to: solver, value: 0n }] };
  const base = await chain.client.estimateGas({
    ...fillCall(idle, chain, delivery, solver),
    account: solver,
  });
  return gas > base ? gas - base : 0n;
}

/** Runs a call of the solver without sending it. */
export async function prepareCall(call: SolverCall, chain: Chain, solver: Address): Promise<Prepared> {
  const estimated = await estimateCall(call, chain, solver);
  return "call" in estimated ? withReserve(estimated) : estimated;
}

async function estimateCall(
  call: SolverCall,
  chain: Chain,
  solver: Address,
): Promise<Estimated | Unprepared> {
  const oversize = oversizeOf(call);
  if (oversize !== undefined) return { details: oversize, failReason: "TRANSACTION_TOO_LARGE" };
  try {
    const gas = await chain.client.estimateGas({ ...call, account: solver });
    const details = excessOf({ call, gas });
    return details === undefined ? { call, gas } : { details, failReason: "QUOTED_GAS_LIMIT_EXCEEDED" };
  } catch (error) {
    // An unreachable node is no reason to refund a deposit.
    if (!isRevert(error)) throw error;
    const { blockNumber, revert } = (await runAgain(call, chain, solver)) ?? { revert: revertReason(error) };
    const { data, message } = revert;
    const failReason = data === "0x" ? "MISSING_REVERT_DATA" : "EXECUTION_REVERTED";
    const { data: input, to, value } = call;
    return {
      details: message,
      failedCall: { blockNumber, data: input, from: solver, to, value },
      failReason,
      ...(data !== undefined && { revertData: data }),
    };
  }
}

/**
 * Runs a reverted call again on a fixed block, so that the revert can be reproduced; `undefined` when it no
 * longer reverts.
 */
async function runAgain(
  call: SolverCall,
  { client, rpc }: Chain,
  account: Address,
): Promise<{ readonly blockNumber: number; readonly revert: Revert } | undefined> {
  const { number: blockNumber } = await latestHead(rpc);
  try {
    await client.call({ ...call, account, blockNumber });
    return undefined;
  } catch (error) {
    if (!isRevert(error)) throw error;
    return { blockNumber: Number(blockNumber), revert: revertReason(error) };
  }
}

/** Longest calldata of a plain transfer with a requestId, in hex characters. */
const plainLength = 2 + 2 * 100;
/**
 * Pools write their price history in the first swap of a later second, which a run in the same second does not
 * show.
 */
const swapReserve = 60_000n;

/** Longest calldata of a transaction, in bytes: nodes take no transaction above 128 KiB. */
const mostCalldata = 128 * 1024;

/** Describes calldata that no node takes; `undefined` for shorter calldata. */
export function oversizeOf({ data }: Pick<SolverCall, "data">): string | undefined {
  const bytes = size(data);
  return bytes > mostCalldata
    ? `The calldata has ${bytes} bytes, and a node takes ${mostCalldata}`
    : undefined;
}

/** Describes gas above the ceiling that the solver pays for; `undefined` below it. */
export function excessOf(estimated: Estimated): string | undefined {
  const { gas } = withReserve(estimated);
  return gas > gasCeiling ? `It takes ${gas} gas, and the solver pays for at most ${gasCeiling}` : undefined;
}

type Estimated = { readonly call: SolverCall; readonly gas: bigint };

/** Adds a fifth: inner calls keep back a 64th of the gas, and state may have moved by the time it is mined. */
function withReserve(estimated: Estimated): Estimated {
  const reserve = estimated.call.data.length > plainLength ? swapReserve : 0n;
  return { ...estimated, gas: (estimated.gas * 6n) / 5n + reserve };
}
