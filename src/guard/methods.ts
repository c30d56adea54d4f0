const reads =
  "accounts blobBaseFee blockNumber call chainId createAccessList estimateGas feeHistory gasPrice getBalance " +
  "getBlockByHash getBlockByNumber getBlockReceipts getBlockTransactionCountByHash getBlockTransactionCountByNumber " +
  "getCode getFilterChanges getFilterLogs getLogs getProof getStorageAt getTransactionByBlockHashAndIndex " +
  "getTransactionByBlockNumberAndIndex getTransactionByHash getTransactionCount getTransactionReceipt " +
  "maxPriorityFeePerGas newBlockFilter newFilter requestAccounts subscribe syncing uninstallFilter unsubscribe";

/** Methods that neither sign nor change what a wallet signs: they reach the wallet as they are. */
export const passedMethods: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...reads.split(" ").map((name) => `eth_${name}`),
  "net_listening",
  "net_version",
  "wallet_getCallsStatus",
  "wallet_getCapabilities",
  "wallet_getPermissions",
  "wallet_showCallsStatus",
  "web3_clientVersion",
  "web3_sha3",
]);
