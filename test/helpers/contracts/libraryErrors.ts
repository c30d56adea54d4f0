import { Interface } from "ethers";

/** Errors that libraries throw from assembly; the contracts' ABIs therefore omit them. */
export const libraryErrors = {
  interface: new Interface([
    "error Reentrancy()",
    "error ETHTransferFailed()",
    "error TransferFromFailed()",
    "error TransferFailed()",
    "error ApproveFailed()",
  ]),
};

/** The selector of an error without arguments. */
export function reentrancyReason(): string {
  return libraryErrors.interface.encodeErrorResult("Reentrancy", []);
}
