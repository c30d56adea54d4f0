/** Methods that neither sign nor change what a wallet signs: they reach the wallet as they are. */
export const passedMethods: ReadonlySet<string> = /* @__PURE__ */ new Set([
  ...[
    "accounts",
    "blobBaseFee",
    "blockNumber",
    "call",
    "chainId",
    "createAccessList",
    "estimateGas",
    "feeHistory",
  ].map(eth),
  ...[
    "gasPrice",
    "getBalance",
    "getBlockByHash",
    "getBlockByNumber",
    "getBlockReceipts",
    "getCode",
    "getLogs",
  ].map(eth),
  ...[
    "getBlockTransactionCountByHash",
    "getBlockTransactionCountByNumber",
    "getFilterChanges",
    "getFilterLogs",
  ].map(eth),
  ...[
    "getProof",
    "getStorageAt",
    "getTransactionByBlockHashAndIndex",
    "getTransactionByBlockNumberAndIndex",
  ].map(eth),
  ...["getTransactionByHash", "getTransactionCount", "getTransactionReceipt", "maxPriorityFeePerGas"].map(
    eth,
  ),
  ...[
    "newBlockFilter",
    "newFilter",
    "requestAccounts",
    "subscribe",
    "syncing",
    "uninstallFilter",
    "unsubscribe",
  ].map(eth),
  "net_listening",
  "net_version",
  "wallet_getCallsStatus",
  "wallet_getCapabilities",
  "wallet_getPermissions",
  "wallet_showCallsStatus",
  "web3_clientVersion",
  "web3_sha3",
]);

function eth(name: string): string {
  return `eth_${name}`;
}
