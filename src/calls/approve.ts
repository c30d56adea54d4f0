import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import type { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { Call } from "./Call.ts";

/** What {@link approve} takes. */
export type ApproveParameters = {
  token: Address;
  /** The contract that will take the token; a later call must go there. */
  spender: Address;
  /** In the token's smallest unit. Defaults to everything, for amounts that are not known yet. */
  amount?: bigint | undefined;
  /** Whether to approve zero first, which tokens like USDT ask for when an allowance may be left. */
  resetFirst?: boolean | undefined;
};

/** What {@link approve} returns. */
export type ApproveReturnType = readonly Call[];

/** What {@link approve} throws. */
export type ApproveErrorType = InvalidParameterError;

/**
 * Calls by which the router lets `spender` take a token. A call that spends a token needs this before it (specification,
 * call-execution rule 2). Anyone can use an allowance that is left on the shared router: set it to zero
 * after the last call that needs it.
 *
 * @param parameters Token, spender, amount.
 * @returns One call, or two with `resetFirst`.
 * @throws {InvalidParameterError} Naming the argument that does not fit.
 *
 * @example
 * import { approve } from "waybill";
 *
 * const [call] = approve({
 *   amount: 1_000_000n,
 *   spender: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
 *   token: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 * });
 */
export function approve(parameters: ApproveParameters): ApproveReturnType {
  const token = readAddress(parameters.token, "token");
  const spender = readAddress(parameters.spender, "spender");
  const amount = readUint256(parameters.amount ?? maxUint256, "amount");
  const { resetFirst = false } = parameters;
  const amounts = resetFirst && amount !== 0n ? [0n, amount] : [amount];
  return amounts.map((value) => ({
    data: encodeFunctionData({ abi: erc20Abi, args: [spender, value], functionName: "approve" }),
    to: token,
    value: 0n,
  }));
}
