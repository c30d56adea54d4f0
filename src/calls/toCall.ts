import type { Abi } from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { parseAmount } from "../internal/amounts.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readHex } from "../internal/readHex.ts";
import { readUint256 } from "../internal/readUint256.ts";
import type { Call } from "./Call.ts";
import { contractCall } from "./contractCall.ts";

/** A call that is encoded: an entry of `txs`, a `Call`, a transaction that ethers populated. */
export type EncodedCallInput = {
  readonly to?: unknown;
  readonly data?: string | null | undefined;
  /** Wei, as a number or a decimal string. */
  readonly value?: bigint | string | null | undefined;
};

/** A call that is not encoded yet: the `request` that viem's `simulateContract` answers with. */
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

/** What {@link toCall} returns. */
export type ToCallReturnType = Call;

/** What {@link toCall} throws. */
export type ToCallErrorType = InvalidParameterError;

/**
 * Reads a call in any form that people have one in: an entry of `txs`, the answer of viem's `simulateContract`, a
 * transaction that ethers populated.
 *
 * @param input The call.
 * @param parameter Name to blame in errors. Defaults to `call`.
 * @returns The call in exact types.
 * @throws {InvalidParameterError} Naming the part that does not fit.
 *
 * @example
 * import { toCall } from "waybill";
 *
 * const call = toCall({ data: "0x", to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8", value: "1" });
 * call.value; // 1n
 */
export function toCall(input: ToCallParameters, parameter = "call"): ToCallReturnType {
  if (typeof input !== "object" || input === null) {
    throw new InvalidParameterError({ parameter, reason: "it is not a call" });
  }
  if ("request" in input) return toCall(input.request, `${parameter}.request`);
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
