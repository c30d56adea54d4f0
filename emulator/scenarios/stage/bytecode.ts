import { concatHex, encodeErrorResult, type Hex, numberToHex, parseAbi, size } from "viem";

/**
 * Code that copies the bytes after it to memory and ends with them:
 *
 * ```text
 * PUSH2 length  DUP1  PUSH1 12  PUSH1 0  CODECOPY  PUSH1 0  <last instruction>  payload
 * ```
 */
function endingWith(lastInstruction: Hex, payload: Hex): Hex {
  return concatHex([
    "0x61",
    numberToHex(size(payload), { size: 2 }),
    "0x80600c6000396000",
    lastInstruction,
    payload,
  ]);
}

/** Creation code that deploys `code`; it ends with RETURN. */
export function deployingCode(code: Hex): Hex {
  return endingWith("0xf3", code);
}

/** Code that reverts every call with `data`; it ends with REVERT. */
export function revertingCode(data: Hex): Hex {
  return endingWith("0xfd", data);
}

/** Code that reverts with Solidity's `Error(string)`. */
export function revertingWith(message: string): Hex {
  const abi = parseAbi(["error Error(string reason)"]);
  return revertingCode(encodeErrorResult({ abi, args: [message], errorName: "Error" }));
}

/** Code that writes five storage slots: `PUSH1 1 PUSH1 slot SSTORE` for each slot, then STOP. */
export const writingCode: Hex = concatHex([
  ...[1, 2, 3, 4, 5].map((slot) => concatHex(["0x600160", numberToHex(slot, { size: 1 }), "0x55"])),
  "0x00",
]);
