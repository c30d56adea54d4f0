import type { Address } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { parseAmount } from "../internal/amounts.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readList } from "../internal/readParts.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { TradeType } from "../schema/quote/tradeType.ts";
import { callEffects } from "./callEffects.ts";
import { type CallFinding, type CallsUnderCheck, lowerAddress } from "./checks/CallsUnderCheck.ts";
import { checkAllowances } from "./checks/checkAllowances.ts";
import { checkAmounts } from "./checks/checkAmounts.ts";
import { checkSweeps } from "./checks/checkSweeps.ts";
import { checkTargets } from "./checks/checkTargets.ts";
import { type RouterVersion, readRouterVersion } from "./RouterVersion.ts";
import { type ToCallParameters, toCall } from "./toCall.ts";

/** Parameters of {@link checkCalls}: those of the quote, and what is known about the destination chain. */
export type CheckCallsParameters = {
  /** Calls of the destination chain, in order, in any form that `toCall` reads. */
  txs: readonly ToCallParameters[];
  tradeType: TradeType;
  /** As the quote has it: smallest units of the input or the output, as `tradeType` says. */
  amount: bigint | string;
  /** The zero address is the native currency. */
  destinationCurrency: string;
  refundTo?: string | undefined;
  /** Whether `user` is a contract: money that is refunded to it may be lost. */
  userIsContract?: boolean | undefined;
  /** The router that makes the calls. With it, sweeps of other addresses are found. */
  router?: Address | undefined;
  routerVersion?: RouterVersion | undefined;
  /** Tokens that refuse to change an allowance that is not zero, as USDT does. */
  resetTokens?: readonly Address[] | undefined;
  /** Addresses on the destination chain that are known to have no code. */
  withoutCode?: readonly Address[] | undefined;
};
/** In the order of the calls; those about all of them come first. Empty when nothing was found. */
export type CheckCallsReturnType = readonly CallFinding[];

/** What {@link checkCalls} throws. */
export type CheckCallsErrorType = InvalidParameterError;

/**
 * Explains what will go wrong with calls before a quote is asked for, from their calldata alone (specification,
 * call-execution rules). It reads the service's own functions, ERC-20, the `BalanceProxy`, ERC-4626 vaults, Aave's pools
 * and Uniswap v2; of other functions it only sees whether they were approved. `simulateCalls` tries them on a chain.
 *
 * @param parameters The calls, the quote's own parameters, what is known of the chain.
 * @returns What was found: `error` means that the calls fail or lose money, `warning` that they may.
 * @throws {InvalidParameterError} Naming the argument that cannot be read.
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
    currency: lowerAddress(readAddress(destinationCurrency, "destinationCurrency")),
    entries: readList(parameters.txs, "txs", (input, parameter) =>
      toCall(input as ToCallParameters, parameter),
    ).map((call, index) => ({ call, effects: callEffects(call), index, target: lowerAddress(call.to) })),
    isExactInput: parameters.tradeType === "EXACT_INPUT",
    isExactOutput: parameters.tradeType === "EXACT_OUTPUT",
    refundTo: parameters.refundTo,
    resetTokens: readSet(parameters.resetTokens, "resetTokens"),
    router: router === undefined ? undefined : lowerAddress(readAddress(router, "router")),
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
  return new Set(readList(addresses ?? [], parameter, readAddress).map(lowerAddress));
}
