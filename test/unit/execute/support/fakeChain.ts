import {
  type Account,
  createPublicClient,
  createWalletClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  keccak256,
  numberToHex,
  type PublicClient,
  parseTransaction,
  type Transport,
  toHex,
  UserRejectedRequestError,
  type WalletClient,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** First account of the well-known test mnemonic. */
export const account = mnemonicToAccount("test test test test test test test test test test test junk");

/** Its key. */
export const testKey = toHex(account.getHdKey().privateKey ?? new Uint8Array());

/** A transaction that the fake chain accepted. */
export type Sent = {
  chainId: number | undefined;
  data: Hex;
  gas: bigint | undefined;
  hash: Hex;
  to: Hex;
  value: bigint;
};

/** Faults of the fake chain. */
export type FakeChainOptions = {
  /** Allowances that reads see, one a read; the last one repeats. */
  allowances?: readonly bigint[];
  chainId?: number;
  /**
   * Called before a gas estimate, with the number of earlier estimates; an error thrown here becomes the node's
   * answer.
   */
  onEstimate?: (count: number) => void;
  /** Called before a transaction is accepted; an error thrown here becomes the node's answer. */
  onSend?: (count: number) => void;
  /** Reads of a receipt that find nothing before one is there. */
  pendingReads?: number;
  /** Indexes of transactions that revert. */
  reverts?: readonly number[];
};

const block = {
  baseFeePerGas: "0x1",
  difficulty: "0x0",
  extraData: "0x",
  gasLimit: "0x1c9c380",
  gasUsed: "0x0",
  hash: `0x${"b1".repeat(32)}`,
  miner: account.address,
  nonce: "0x0000000000000000",
  number: "0x1",
  parentHash: `0x${"b0".repeat(32)}`,
  timestamp: "0x1",
  transactions: [],
};

/** A chain of one account that answers JSON-RPC from memory. */
export type FakeChain = {
  /** Names of the calls that were made, in order. */
  methods: string[];
  publicClient: PublicClient<Transport>;
  /** The node itself, as a provider. */
  request: (request: { method: string; params?: unknown[] }) => Promise<unknown>;
  sent: Sent[];
  wallet: WalletClient<Transport, undefined, Account>;
};

/** Makes a fake chain with a wallet that really signs. */
export function fakeChain(options: FakeChainOptions = {}): FakeChain {
  const { allowances = [], chainId = 31337, onEstimate, onSend, pendingReads = 0, reverts = [] } = options;
  const methods: string[] = [];
  const sent: Sent[] = [];
  const receiptReads = new Map<string, number>();
  let allowanceReads = 0;
  let estimates = 0;

  const take = (raw: Hex): Hex => {
    onSend?.(sent.length);
    const { chainId, data = "0x", gas, to, value = 0n } = parseTransaction(raw);
    const hash = keccak256(raw);
    if (sent.some((transaction) => transaction.hash === hash)) throw new Error("already known");
    sent.push({ chainId, data, gas, hash, to: to ?? "0x", value });
    return hash;
  };
  const receipt = (hash: string): unknown => {
    const reads = (receiptReads.get(hash) ?? 0) + 1;
    receiptReads.set(hash, reads);
    const index = sent.findIndex((transaction) => transaction.hash === hash);
    if (index < 0 || reads <= pendingReads) return null;
    return {
      blockHash: hash,
      blockNumber: numberToHex(index + 1),
      contractAddress: null,
      cumulativeGasUsed: "0x5208",
      effectiveGasPrice: "0x1",
      from: account.address,
      gasUsed: "0x5208",
      logs: [],
      logsBloom: "0x",
      status: reverts.includes(index) ? "0x0" : "0x1",
      to: sent[index]?.to,
      transactionHash: hash,
      transactionIndex: "0x0",
      type: "0x2",
    };
  };
  const allowance = (data: Hex): Hex => {
    decodeFunctionData({ abi: erc20Abi, data });
    const result = allowances[Math.min(allowanceReads++, allowances.length - 1)];
    if (result === undefined) return "0x";
    return encodeFunctionResult({ abi: erc20Abi, functionName: "allowance", result });
  };
  const answers: Record<string, (parameters: unknown[]) => unknown> = {
    eth_blockNumber: () => numberToHex(sent.length),
    eth_call: ([call]) => allowance((call as { data: Hex }).data),
    eth_chainId: () => numberToHex(chainId),
    eth_estimateGas: () => {
      onEstimate?.(estimates++);
      return "0x5208";
    },
    eth_gasPrice: () => "0x1",
    eth_getBalance: () => numberToHex(10n ** 24n),
    eth_getBlockByNumber: () => block,
    eth_getTransactionByHash: ([hash]) => {
      const transaction = sent.find((each) => each.hash === hash);
      if (transaction === undefined) return null;
      const { data: input, to, value } = transaction;
      const fields = { chainId: numberToHex(chainId), input, nonce: "0x0", to, type: "0x2" };
      return { ...fields, from: account.address, hash, value: numberToHex(value) };
    },
    eth_getTransactionCount: () => numberToHex(sent.length),
    eth_getTransactionReceipt: ([hash]) => receipt(hash as string),
    eth_maxPriorityFeePerGas: () => "0x1",
    eth_sendRawTransaction: ([raw]) => take(raw as Hex),
  };
  const request: FakeChain["request"] = async ({ method, params = [] }) => {
    methods.push(method);
    const answer = answers[method];
    if (answer === undefined) throw Object.assign(new Error(`no method ${method}`), { code: -32601 });
    return answer(params);
  };
  const transport = custom({ request }, { retryCount: 0 });
  return {
    methods,
    publicClient: createPublicClient({ cacheTime: 0, transport }),
    request,
    sent,
    wallet: createWalletClient({ account, transport }),
  };
}

/** Throws an error as a node or a wallet reports it. */
export function reject(code: number, message: string): () => never {
  return () => {
    throw Object.assign(new Error(message), { code });
  };
}

/** A wallet whose owner refuses every request. */
export function refusingWallet(): WalletClient<Transport, undefined, Account> {
  const request = async ({ method }: { method: string }): Promise<unknown> => {
    if (method === "eth_chainId") return numberToHex(31337);
    throw new UserRejectedRequestError(new Error("User rejected the request."));
  };
  const transport = custom({ request }, { retryCount: 0 });
  return createWalletClient({ account: account.address, transport }) as WalletClient<
    Transport,
    undefined,
    Account
  >;
}
