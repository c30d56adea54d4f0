import { Interface } from "ethers";

/** Errors that libraries throw from assembly, which is why the contracts' ABIs do not list them. */
export const libraryErrors = {
  interface: new Interface([
    "error Reentrancy()",
    "error ETHTransferFailed()",
    "error TransferFromFailed()",
    "error TransferFailed()",
    "error ApproveFailed()",
  ]),
};

/** The four bytes an error without arguments reverts with. */
export function reentrancyReason(): string {
  return libraryErrors.interface.encodeErrorResult("Reentrancy", []);
}
