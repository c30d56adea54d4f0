import { Interface } from "ethers";

/** Errors that libraries throw from assembly; the contracts' ABIs therefore omit them. */
export const libraryErrors = {
  interface: new Interface([
    "error ETHTransferFailed()",
    "error TransferFromFailed()",
    "error TransferFailed()",
  ]),
};
