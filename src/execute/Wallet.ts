import type { Account, Address, Chain, Client, Hex, Transport, TypedDataDomain } from "viem";

/** Anything that reads a chain: a viem public client, or the wallet itself. */
export type ChainReader = Client<Transport, Chain | undefined, Account | undefined>;

/** A call that a wallet is asked to send. */
export type WalletCall = {
  readonly chainId: number;
  readonly data: Hex;
  /** The wallet's own estimate when left out. */
  readonly gas: bigint | undefined;
  readonly to: Address;
  /** Wei. */
  readonly value: bigint;
};

/** Typed data in the form of EIP-712. */
export type WalletTypedData = {
  readonly domain: TypedDataDomain;
  readonly message: Record<string, unknown>;
  readonly primaryType: string;
  readonly types: Record<string, { name: string; type: string }[]>;
};

/**
 * All that `execute` asks of a wallet, whichever library it comes from. The account may be a contract:
 * nothing is concluded from its signatures, its nonce, or who a receipt says has sent a transaction.
 */
export type Wallet = {
  readonly address: Address;
  /** Whether `rpc` is the wallet's own connection, which may know EIP-5792; a node's never does. */
  readonly canBatch: boolean;
  getChainId(): Promise<number>;
  /** Its connection, or that of its node; `undefined` when it does not speak JSON-RPC. */
  readonly rpc: ChainReader | undefined;
  /** The hash, as soon as there is one. */
  sendTransaction(call: WalletCall): Promise<Hex>;
  signMessage(message: string | { raw: Hex }): Promise<Hex>;
  signTypedData(data: WalletTypedData): Promise<Hex>;
};

/**
 * The part of a signer of ethers 6 that is used. Signers are known by it, so ethers is never loaded.
 * A provider with `send` (all that speak JSON-RPC) serves reads, too; with any other, give a `publicClient`.
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

/** The part of a provider of ethers 6 that every one has. */
export type EthersProvider = { getNetwork(): Promise<{ chainId: bigint }> };

/** A transaction as signers of ethers take it. */
export type EthersTransaction = {
  chainId: number;
  data: string;
  gasLimit: bigint | null;
  to: string;
  value: bigint;
};
