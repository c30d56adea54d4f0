import { parseAbi } from "viem";

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
