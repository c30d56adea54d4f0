import { decodeErrorResult, type Hex, isAddress, isHex, parseAbi, BaseError as ViemBaseError } from "viem";
import { balanceProxyAbi } from "../../src/abi/BalanceProxy.ts";
import { relayRouterV3Abi } from "../../src/abi/RelayRouterV3.ts";

/** Why a call on a chain failed. */
export type Revert = {
  /** The decoded reason where its signature is known, else the node's message. */
  readonly message: string;
  /** Revert data as the chain returned it. */
  readonly data?: Hex;
};

/** Errors of the service, of tokens and of the batch executor. */
export const knownErrors = [
  ...parseAbi([
    "error Error(string reason)",
    "error Panic(uint256 code)",
    "error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)",
    "error ERC20InsufficientAllowance(address spender, uint256 allowance, uint256 needed)",
    "error ERC20InvalidReceiver(address receiver)",
    "error EnforcedPause()",
    "error AllowanceOverflow()",
    "error InsufficientAllowance()",
    "error InsufficientBalance()",
    "error ETHTransferFailed()",
    "error TransferFailed()",
    "error TransferFromFailed()",
    "error ApproveFailed()",
    "error ERC2612ExpiredSignature(uint256 deadline)",
    "error ERC3009InvalidAuthorizationTime(uint256 validAfter, uint256 validBefore)",
    "error ERC3009InvalidSignature()",
    "error ERC3009UsedAuthorization(address authorizer, bytes32 nonce)",
    "error InvalidContractSignature()",
    "error CallFailed(bytes reason)",
    "error InvalidNonce()",
    "error InvalidSignature()",
    "error KeyDoesNotExist()",
    "error SignatureExpired()",
    "error Unauthorized()",
    "error InvalidSigner()",
    "error SignatureExpired(uint256 signatureDeadline)",
  ]),
  ...relayRouterV3Abi.filter((item) => item.type === "error"),
  ...balanceProxyAbi.filter((item) => item.type === "error"),
];

/** Whether a node ran a call that failed, rather than being unreachable. */
export function isRevert(error: unknown): boolean {
  if (revertDataOf(error) !== undefined) return true;
  const message = error instanceof ViemBaseError ? `${error.shortMessage} ${error.details}` : String(error);
  return /revert|out of gas|invalid opcode|gas required exceeds|exceeds the balance|insufficient funds/i.test(
    message,
  );
}

/** Finds and decodes the revert data in an error of the RPC client. */
export function revertReason(error: unknown): Revert {
  const data = revertDataOf(error);
  if (data === undefined || data === "0x") {
    const message = error instanceof ViemBaseError ? error.details || error.shortMessage : String(error);
    return { message, ...(data !== undefined && { data }) };
  }
  return { data, message: describe(data) };
}

/** Formats revert data as `Name(arguments)`, or as hex if it is unknown. */
function describe(data: Hex): string {
  try {
    const { args = [], errorName } = decodeErrorResult({ abi: knownErrors, data });
    if (errorName === "Error") return String(args[0]);
    return `${errorName}(${args.map((arg) => (isHex(arg) && !isAddress(arg) ? describe(arg) : String(arg))).join(", ")})`;
  } catch {
    return data;
  }
}

function revertDataOf(error: unknown): Hex | undefined {
  let current: unknown = error;
  while (current instanceof Error) {
    const data: unknown = "data" in current ? current.data : undefined;
    if (isHex(data)) return data;
    if (typeof data === "object" && data !== null && "data" in data && isHex(data.data)) return data.data;
    current = current.cause;
  }
  return undefined;
}
