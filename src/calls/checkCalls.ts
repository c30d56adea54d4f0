import type { Address } from "viem";
import { parseAmount } from "../internal/amounts.ts";
import { lowerHex } from "../internal/lowerHex.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readList } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { TradeType } from "../schema/quote/tradeType.ts";
import { callEffects } from "./callEffects.ts";
import type { CallFinding, CallsUnderCheck } from "./checks/CallsUnderCheck.ts";
import { checkAllowances } from "./checks/checkAllowances.ts";
import { checkAmounts } from "./checks/checkAmounts.ts";
import { checkSweeps } from "./checks/checkSweeps.ts";
import { checkTargets } from "./checks/checkTargets.ts";
import { type RouterVersion, readRouterVersion } from "./RouterVersion.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** The calls of a quote, and facts about the destination chain. */
export type CheckCallsParameters = {
  /** Calls of the destination chain, in order, in any form that `toCall` reads. */
  txs: readonly ToCallParameters[];
  tradeType: TradeType;
  /** The quote's `amount`, in smallest units of the input or the output, by `tradeType`. */
  amount: bigint | string;
  /** The zero address is the native currency. */
  destinationCurrency: string;
  refundTo?: string | undefined;
  /** Whether `user` is a contract. A contract may be unable to use a refund. */
  userIsContract?: boolean | undefined;
  /** Router that executes the calls. Needed to find sweeps of other addresses. */
  router?: Address | undefined;
  routerVersion?: RouterVersion | undefined;
  /** Tokens that revert on a change of a non-zero allowance, such as USDT. */
  resetTokens?: readonly Address[] | undefined;
  /** Addresses without code on the destination chain. */
  withoutCode?: readonly Address[] | undefined;
};
/** Findings about all calls first, then by call. Empty when nothing is wrong. */
export type CheckCallsReturnType = readonly CallFinding[];

/**
 * Finds errors in calls from their calldata alone, before a quote is requested (specification, call-execution rules).
 * Decodes functions of the service, ERC-20, `BalanceProxy`, ERC-4626, Aave pools and Uniswap v2. Of other functions it
 * checks only the approvals. `simulateCalls` executes the calls on a chain.
 *
 * @returns The findings. With severity `error` the calls fail or lose money; with `warning` they may.
 * @throws {InvalidParameterError} For an unreadable argument, by name.
 *
 * @example
 * import { calls, checkCalls } from "waybill";
 *
 * const router = "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f";
 * const { txs } = calls({ router }).add({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: 2n });
 * const [finding] = checkCalls({
 *   amount: 3n,
 *   destinationCurrency: "0x0000000000000000000000000000000000000000",
 *   tradeType: "EXACT_OUTPUT",
 *   txs,
 * });
 * finding?.code; // "VALUE_SUM"
 */
export function checkCalls(parameters: CheckCallsParameters): CheckCallsReturnType {
  const { amount, destinationCurrency, router } = parameters;
  const under: CallsUnderCheck = {
    amount: typeof amount === "string" ? parseAmount(amount) : readUint256(amount, "amount"),
    currency: lowerHex(readAddress(destinationCurrency, "destinationCurrency")),
    entries: readList(parameters.txs, "txs", (input, parameter) =>
      toCall(input as ToCallParameters, parameter),
    ).map((call, index) => ({ call, effects: callEffects(call), index, target: lowerHex(call.to) })),
    isExactInput: parameters.tradeType === "EXACT_INPUT",
    isExactOutput: parameters.tradeType === "EXACT_OUTPUT",
    refundTo: parameters.refundTo,
    resetTokens: readSet(parameters.resetTokens, "resetTokens"),
    router: router === undefined ? undefined : lowerHex(readAddress(router, "router")),
    routerVersion:
      parameters.routerVersion === undefined ? undefined : readRouterVersion(parameters.routerVersion),
    userIsContract: parameters.userIsContract === true,
    withoutCode: readSet(parameters.withoutCode, "withoutCode"),
  };
  return [
    ...checkAmounts(under),
    ...checkTargets(under),
    ...checkAllowances(under),
    ...checkSweeps(under),
  ].sort((one, other) => (one.index ?? -1) - (other.index ?? -1));
}

function readSet(addresses: readonly Address[] | undefined, parameter: string): ReadonlySet<Address> {
  return new Set(readList(addresses ?? [], parameter, readAddress).map(lowerHex));
}
