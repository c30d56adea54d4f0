import type { Account, Address, Chain, Client, Hex, Transport, TypedDataDomain } from "viem";

/** Reads a chain: a viem public client, or the wallet itself. */
export type ChainReader = Client<Transport, Chain | undefined, Account | undefined>;

/** A transaction with everything set, so that neither a wallet nor a node fills in a field. */
export type WalletTransaction = {
  readonly chainId: number;
  readonly data: Hex;
  readonly fees: Fees;
  readonly gas: bigint;
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
};

/** Prices of gas in wei, for a chain with a base fee or without. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** EIP-712 typed data. */
export type WalletTypedData = {
  readonly domain: TypedDataDomain;
  readonly message: Record<string, unknown>;
  readonly primaryType: string;
  readonly types: Record<string, { name: string; type: string }[]>;
};

/**
 * The wallet interface of `execute`, independent of the library. The account may be a contract, so `execute` draws no
 * conclusion from its signatures, its nonce, or a receipt's sender.
 */
export type Wallet = {
  readonly address: Address;
  /** Whether `rpc` is the wallet's connection, which may support EIP-5792; a node's never does. */
  readonly canBatch: boolean;
  getChainId(): Promise<number>;
  /** JSON-RPC connection of the wallet or its node; `undefined` without one. */
  readonly rpc: ChainReader | undefined;
  /** Signs and sends. Resolves to the hash as soon as the wallet returns it. */
  sendTransaction(transaction: WalletTransaction): Promise<Hex>;
  signMessage(message: string | { raw: Hex }): Promise<Hex>;
  /** Signs without sending; undefined for wallets that only send. */
  readonly signTransaction:
    | ((transaction: WalletTransaction & { nonce: number }) => Promise<Hex>)
    | undefined;
  signTypedData(data: WalletTypedData): Promise<Hex>;
  /** Next nonce by the account's own manager; undefined without one. */
  readonly takeNonce: ((reader: ChainReader, chainId: number) => Promise<number>) | undefined;
};

/**
 * The used part of an ethers 6 signer. Detected by shape, so ethers is never loaded. A JSON-RPC provider (with `send`)
 * also serves reads; with another provider, pass a `publicClient`.
 */
export type EthersSigner = {
  getAddress(): Promise<string>;
  readonly provider: EthersProvider | null;
  sendTransaction(transaction: EthersTransaction): Promise<{ hash: string }>;
  signMessage(message: string | Uint8Array): Promise<string>;
  signTypedData(
    domain: Record<string, unknown>,
    types: Record<string, { name: string; type: string }[]>,
    value: Record<string, unknown>,
  ): Promise<string>;
};

/** The part that all ethers 6 providers share. */
export type EthersProvider = { getNetwork(): Promise<{ chainId: bigint }> };

/** A transaction in the format of ethers signers. */
export type EthersTransaction = {
  chainId: number;
  data: string;
  gasLimit: bigint;
  gasPrice?: bigint;
  maxFeePerGas?: bigint;
  maxPriorityFeePerGas?: bigint;
  nonce?: number;
  to: string;
  type: number;
  value: bigint;
};
