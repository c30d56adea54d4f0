import { type Address, encodeFunctionData, type Hex, parseAbi } from "viem";
import { decodeCall } from "../../../../../src/calls/decodeCall.ts";
import { expectPayment } from "../../../../../src/calls/verify/expected/expectTransaction.ts";
import { proofFunctions } from "../../../../../src/calls/verify/routedCalls.ts";
import { amountIn, type Changes, orderId, termsOf, user } from "./terms.ts";

export const abi = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function depositNative(address depositor, bytes32 id)",
  "function forward(bytes data)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
]);
const depositAbi = parseAbi([
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
]);

/** The payment that the proof expects in place of a transaction. */
export const expectedOf = (to: string, data: Hex, changes: Changes) =>
  expectPayment(termsOf(changes), { chainId: 1, data, to } as never, decodeCall(proofFunctions, data));

export const depositNative = encodeFunctionData({
  abi,
  args: [user, orderId],
  functionName: "depositNative",
});
export const depositOf = (currency: Address, amount = amountIn) =>
  encodeFunctionData({ abi: depositAbi, args: [user, currency, amount, orderId] });

export const sameChain = { isSameChain: true, kind: "sameChain" } as const;
