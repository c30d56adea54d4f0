import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  encodeFunctionData,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readUint256 } from "../internal/readUint256.ts";
import { show } from "../internal/show.ts";
import type { Call } from "./Call.ts";

/** State mutability of functions that a call can execute. */
export type Mutability = "nonpayable" | "payable";

export type ContractCallParameters<
  abi extends Abi | readonly unknown[] = Abi,
  functionName extends ContractFunctionName<abi, Mutability> = ContractFunctionName<abi, Mutability>,
> = {
  address: Address;
  abi: abi;
  functionName: functionName;
  args: ContractFunctionArgs<abi, Mutability, functionName>;
  /** Wei; part of the quote's `amount`. */
  value?: bigint | undefined;
};

export type ContractCallReturnType = Call;

/**
 * Encodes a call of a contract function with fixed arguments.
 *
 * @returns The call.
 * @throws {InvalidParameterError} For an invalid argument, by name.
 *
 * @example
 * import { parseAbi } from "viem";
 * import { contractCall } from "waybill";
 *
 * const call = contractCall({
 *   abi: parseAbi(["function mint(address to, uint256 id) payable"]),
 *   address: "0x5FbDB2315678afecb367f032d93F642f64180aa3",
 *   args: ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", 1n],
 *   functionName: "mint",
 *   value: 10n ** 16n,
 * });
 */
export function contractCall<
  const abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Mutability>,
>(parameters: ContractCallParameters<abi, functionName>): ContractCallReturnType {
  const address = readAddress(parameters.address, "address");
  const value = readUint256(parameters.value ?? 0n, "value");
  const functionName: string = parameters.functionName;
  try {
    const data = encodeFunctionData({
      abi: parameters.abi as Abi,
      args: parameters.args as readonly unknown[],
      functionName,
    });
    return { data, to: address, value };
  } catch (cause) {
    throw new InvalidParameterError({
      cause,
      parameter: "args",
      reason: `they do not fit \`${show(functionName)}\``,
    });
  }
}
