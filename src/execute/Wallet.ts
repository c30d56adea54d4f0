import type { Account, Address, Chain, Client, Hex, Transport } from "viem";

/** Reads a chain: a viem public client, or the wallet itself. */
export type ChainReader = Client<Transport, Chain | undefined, Account | undefined>;

/**
 * The wallet of a run, and its connection to a chain. The account may be a contract, so `execute` draws no conclusion from
 * its signatures, its nonce, or a receipt's sender.
 */
export type Wallet = Client<Transport, Chain | undefined, Account>;

/**
 * A transaction with everything set, so that neither a wallet nor a node fills in a field. Value and prices are in wei. A
 * chain without a base fee has a `gasPrice`.
 */
export type WalletTransaction = {
  chainId: number;
  data: Hex;
  gas: bigint;
  gasPrice?: bigint | undefined;
  maxFeePerGas?: bigint | undefined;
  maxPriorityFeePerGas?: bigint | undefined;
  to: Address;
  type: "eip1559" | "legacy";
  value: bigint;
};

/**
 * The used part of an ethers 6 signer. Detected by shape, so ethers is never loaded. A JSON-RPC provider (with `send`)
 * also serves reads; with another provider, pass a `publicClient`.
 */
export type EthersSigner = {
  getAddress(): Promise<string>;
  readonly provider: { getNetwork(): Promise<unknown> } | null;
  signMessage(message: string | Uint8Array): Promise<string>;
  signTransaction(transaction: object): Promise<string>;
  signTypedData(domain: object, types: TypedFields, value: Record<string, unknown>): Promise<string>;
};

/** Types of EIP-712 typed data. */
export type TypedFields = Record<string, { name: string; type: string }[]>;
