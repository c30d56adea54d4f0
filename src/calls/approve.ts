import { type Address, encodeFunctionData, erc20Abi, maxUint256 } from "viem";
import { readAddress } from "../internal/readAddress.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { Call } from "./Call.ts";

export type ApproveParameters = {
  token: Address;
  /** Contract that may take the token. A later call must go to it. */
  spender: Address;
  /** Smallest units. Default: unlimited, for amounts that are unknown when the calls are composed. */
  amount?: bigint | undefined;
  /** Approves zero first. USDT-like tokens require it while an allowance remains. */
  resetFirst?: boolean | undefined;
};

export type ApproveReturnType = readonly Call[];

/**
 * Composes the router's approval of `spender`. A call that spends a token needs one before it (specification,
 * call-execution rule 2). Set the allowance to zero after its last use: anyone can spend an allowance of the shared
 * router.
 *
 * @returns One call, or two with `resetFirst`.
 * @throws {InvalidParameterError} For an invalid argument, by name.
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
