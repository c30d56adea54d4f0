import {
  type Abi,
  type Address,
  type EncodeDeployDataParameters,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  keccak256,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { create2Salt, createXAddress, creationCodeHashes } from "./deployments.ts";

/** The receiver's `abi`, its `bytecode` (the artifact's creation code, without arguments) and its constructor's `args`. */
export type ReceiverAddressParameters<abi extends Abi | readonly unknown[]> = EncodeDeployDataParameters<abi>;

/**
 * Computes the address of a receiver with these constructor arguments, on every chain that has the factory.
 *
 * The address depends on every byte of the creation code. `bytecode` must come from this package's artifacts
 * (`waybill/artifacts/PinnedReceiver.json`); other code is rejected.
 *
 * @throws {InvalidParameterError} For a `bytecode` that is no receiver of this version, or invalid `args`.
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
  if (!isReceiver(parameters.bytecode)) {
    const reason =
      "not the creation code of a receiver of this version: take `bytecode` of `waybill/artifacts/PinnedReceiver.json` " +
      "or another receiver's, not its `deployedBytecode` and no build of your own";
    throw new InvalidParameterError({ parameter: "bytecode", reason });
  }
  return getCreate2Address({ bytecode: deployData(parameters), from: createXAddress, salt: create2Salt });
}

function isReceiver(bytecode: unknown): boolean {
  if (typeof bytecode !== "string" || !/^0x(?:[0-9a-f]{2})+$/i.test(bytecode)) return false;
  return Object.values<string>(creationCodeHashes).includes(keccak256(bytecode as Hex));
}

function deployData<const abi extends Abi | readonly unknown[]>(parameters: ReceiverAddressParameters<abi>) {
  try {
    return encodeDeployData(parameters);
  } catch (cause) {
    const reason = "they do not fit the constructor";
    throw new InvalidParameterError({ cause, parameter: "args", reason });
  }
}
