import { type Abi, decodeErrorResult, type Hex, parseAbi } from "viem";
import { readHex } from "../internal/readHex.ts";

/** Errors of the service's contracts, of the proxy and of common tokens. */
const knownErrors = /* @__PURE__ */ parseAbi([
  "error NoRecipientSet()",
  "error CallFailed()",
  "error ArrayLengthsMismatch()",
  "error InvalidMsgSender(address storedSender, address actualSender)",
  "error InvalidRecipient(address recipient)",
  "error NativeTransferFailed()",
  "error RefundToCannotBeZeroAddress()",
  "error StepFailed(uint256 index, address target, bytes reason)",
  "error TargetHasNoCode(uint256 index, address target)",
  "error ReceivedTooLittle(address token, uint256 received, uint256 minimum)",
  "error OutputTooLow(address token, uint256 output, uint256 minimum)",
  "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
  "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error InsufficientAllowance()",
  "error InsufficientBalance()",
  "error TransferFromFailed()",
  "error TransferFailed()",
]);

/** The decoded reason of a revert. */
export type Revert = {
  readonly data: Hex;
  /** `Error`, `Panic`, or the custom error's name; undefined for an unknown error. */
  readonly name: string | undefined;
  readonly args: readonly unknown[];
  /** Human-readable. */
  readonly text: string;
};

/**
 * Decodes revert data.
 *
 * @param data The revert data.
 * @param abis ABIs whose errors are decoded, in addition to the service's, the proxy's and common tokens'.
 *
 * @example
 * import { decodeRevert } from "waybill";
 *
 * decodeRevert("0xf36675c3").name; // "NoRecipientSet"
 */
export function decodeRevert(data: Hex, abis: readonly Abi[] = []): Revert {
  if (readHex(data, "data") === "0x")
    return { args: [], data, name: undefined, text: "it reverted without a reason" };
  try {
    const { args = [], errorName } = decodeErrorResult({
      abi: [...abis.flat(), ...knownErrors] as Abi,
      data,
    });
    const inner = errorName === "StepFailed" ? `: ${decodeRevert(args[2] as Hex, abis).text}` : "";
    return { args, data, name: errorName, text: `${errorName}(${args.map(String).join(", ")})${inner}` };
  } catch {
    return { args: [], data, name: undefined, text: `it reverted with ${data}` };
  }
}
