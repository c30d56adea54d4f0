import {
  type Abi,
  type Address,
  type EncodeDeployDataParameters,
  encodeDeployData,
  getCreate2Address,
  keccak256,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readHex } from "../internal/readHex.ts";
import { create2Salt, createXAddress, creationCodeHashes } from "./deployments.ts";

/** The receiver's `abi`, its `bytecode` (the artifact's creation code, without arguments) and its constructor's `args`. */
export type ReceiverAddressParameters<abi extends Abi | readonly unknown[]> = EncodeDeployDataParameters<abi>;

/**
 * Where a receiver with these constructor arguments is, or would be, on every chain that has the factory.
 *
 * The address depends on every byte of the creation code, compiler settings included, so `bytecode` has to be that of the
 * artifacts in this package (`artifacts/contracts/receiver/…`). Code that was compiled otherwise is refused: it would give
 * the address of another contract.
 *
 * @throws {InvalidParameterError} Naming `bytecode` when it is not a receiver of this version, and `args` when they do not fit.
 *
 * @example
 * import { pinnedReceiverAbi, receiverAddress } from "waybill/abi";
 *
 * declare const bytecode: `0x${string}`;
 * declare const solver: `0x${string}`;
 * const address = receiverAddress({ abi: pinnedReceiverAbi, args: [solver, solver, 0, solver], bytecode });
 */
export function receiverAddress<const abi extends Abi | readonly unknown[]>(
  parameters: ReceiverAddressParameters<abi>,
): Address {
  const hash = keccak256(readHex(parameters.bytecode, "bytecode"));
  if (!Object.values<string>(creationCodeHashes).includes(hash)) {
    const reason = `no receiver of this version has the creation code that hashes to ${hash}`;
    throw new InvalidParameterError({ parameter: "bytecode", reason });
  }
  return getCreate2Address({ bytecode: deployData(parameters), from: createXAddress, salt: create2Salt });
}

function deployData<const abi extends Abi | readonly unknown[]>(parameters: ReceiverAddressParameters<abi>) {
  try {
    return encodeDeployData(parameters);
  } catch (cause) {
    const reason = "they do not fit the constructor";
    throw new InvalidParameterError({ cause, parameter: "args", reason });
  }
}
