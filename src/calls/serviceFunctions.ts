import { type AbiFunction, encodeFunctionData, type Hex, parseAbi } from "viem";

/**
 * ABI fragments of the functions that router calls and quote transactions use: those of the service's contracts in
 * `src/abi`, and `approve` and `transfer` of ERC-20.
 */
export const serviceFunctions = /* @__PURE__ */ parseAbi([
  "struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }",
  "function approve(address spender, uint256 amount)",
  "function transfer(address to, uint256 amount)",
  "function depositNative(address depositor, bytes32 id)",
  "function depositErc20(address depositor, address token, uint256 amount, bytes32 id)",
  "function depositErc20(address depositor, address token, bytes32 id)",
  "function forward(bytes data)",
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts)",
  "function cleanupErc20s(address[] tokens, address[] recipients, uint256[] amounts, bytes metadata)",
  "function cleanupNative(uint256 amount, address recipient)",
  "function cleanupNative(uint256 amount, address recipient, bytes metadata)",
  "function cleanupErc20sViaCall(address[] tokens, address[] tos, bytes[] datas, uint256[] amounts)",
  "function cleanupNativeViaCall(uint256 amount, address to, bytes data)",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient)",
  "function multicall(Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata)",
  "function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient)",
  "function transferAndMulticall(address[] tokens, uint256[] amounts, Call3Value[] calls, address refundTo, address nftRecipient, bytes metadata)",
]);

/**
 * Encodes a call of a function whose overloads differ in the number of their arguments. viem would select one by the member
 * order of tuples.
 *
 * @throws Errors of viem for arguments that do not fit.
 */
export function encodeOverload(
  functions: readonly AbiFunction[],
  functionName: string,
  args: readonly unknown[],
): Hex {
  const abi = functions.filter((item) => item.name === functionName && item.inputs.length === args.length);
  return encodeFunctionData({ abi, args, functionName });
}

/** ABI fragments of the `BalanceProxy` functions that composed calls use. */
export const proxyFunctions = /* @__PURE__ */ parseAbi([
  "struct Asset { address token; uint256 minimumReceived; address recipient; uint256 minimumOutput; }",
  "struct Splice { uint256 offset; address token; }",
  "struct Step { address target; address approvedToken; uint256 value; bool sendNativeBalance; bytes data; Splice[] splices; }",
  "struct NftExecution { Asset[] assets; Step[] steps; address nftRecipient; }",
  "function depositErc4626(address vault, address token, uint256 minimumReceived, address receiver)",
  "function spend(address token, uint256 minimumReceived, address target, uint256 amountOffset, bytes data, address recipient)",
  "function execute(Asset[] assets, Step[] steps) payable",
  "function executeWithNftRecipient(NftExecution execution) payable",
]);
