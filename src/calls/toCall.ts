import type { Abi } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { parseAmount } from "../internal/amounts.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { Call } from "./Call.ts";
import { contractCall } from "./contractCall.ts";

/** An encoded call: an entry of `txs`, a `Call`, or a transaction that ethers populated. */
export type EncodedCallInput = {
  readonly to?: unknown;
  readonly data?: string | null | undefined;
  /** Wei, as a number or a decimal string. */
  readonly value?: bigint | string | null | undefined;
};

/** A call to encode: the `request` that viem's `simulateContract` returns. */
export type ContractCallInput = {
  readonly abi: Abi | readonly unknown[];
  readonly address: string;
  readonly functionName: string;
  readonly args?: readonly unknown[] | undefined;
  readonly value?: bigint | undefined;
  /** Bytes appended to the arguments. */
  readonly dataSuffix?: unknown;
};

/** Everything that `toCall` reads. */
export type ToCallParameters = EncodedCallInput | ContractCallInput | { readonly request: ContractCallInput };

export type ToCallReturnType = Call;

/**
 * Converts a call to exact types: an entry of `txs`, a result of viem's `simulateContract`, or a transaction that
 * ethers populated.
 *
 * @param input The call.
 * @param parameter Name for errors. Default: `call`.
 * @returns The call in exact types.
 * @throws {InvalidParameterError} For an invalid part, by name.
 *
 * @example
 * import { toCall } from "waybill";
 *
 * const call = toCall({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: "1" });
 * call.value; // 1n
 */
export function toCall(input: ToCallParameters, parameter = "call"): ToCallReturnType {
  if (typeof input !== "object" || input === null || !("request" in input)) return readCall(input, parameter);
  return readCall(input.request, `${parameter}.request`);
}

function readCall(input: EncodedCallInput | ContractCallInput, parameter: string): Call {
  if (typeof input !== "object" || input === null) {
    throw new InvalidParameterError({ parameter, reason: "not a call" });
  }
  if ("functionName" in input) {
    const { abi, address, args = [], dataSuffix = "0x", functionName, value } = input;
    const call = contractCall({
      abi: abi as Abi,
      address: readAddress(address, `${parameter}.address`),
      args,
      functionName,
      value,
    });
    const suffix = readHex(dataSuffix, `${parameter}.dataSuffix`).slice(2);
    return { ...call, data: `${call.data}${suffix}` };
  }
  const { data, to, value } = input;
  return {
    data: readHex(data ?? "0x", `${parameter}.data`),
    to: readAddress(to, `${parameter}.to`),
    value:
      typeof value === "string"
        ? parseAmount(value, `${parameter}.value`)
        : readUint256(value ?? 0n, `${parameter}.value`),
  };
}
