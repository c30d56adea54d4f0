import {
  type Account,
  type Address,
  type Chain,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  type PublicClient,
  type Transport,
  type WalletClient,
} from "viem";
import { readArtifact } from "../../emulator/chains/setup/placeContracts.ts";
import { multicall3Abi } from "../../src/abi/Multicall3.ts";

/** Behaviour of a {@link BatchWallet}; tests may change it at any time. */
export type BatchWalletBehaviour = {
  /** Reported capability `atomic`; `undefined` if the wallet does not support the method. */
  atomic: "ready" | "supported" | "unsupported" | undefined;
  /** Reported status of every known batch, in place of the true one. */
  batchStatus: { receipts: readonly unknown[]; status: number } | undefined;
  /** Whether the wallet accepts batches and sends none of them. */
  isLost: boolean;
  /** Error codes with which methods are rejected before they have any effect. */
  refusals: Record<string, number>;
  /** Called after a method's effect and before its answer; an error thrown here becomes the answer. */
  onAnswer: (method: string) => void;
};

type Call = { data?: Hex; to: Address; value?: Hex };
type Request = { method: string; params?: readonly unknown[] };

/**
 * The provider (EIP-1193) of a wallet whose account is a contract, on a real chain. It keeps these rules of
 * EIP-5792, version 2.0.0:
 *
 * - `wallet_getCapabilities` names the wallet's chain and no other.
 * - `wallet_sendCalls` accepts the caller's id, and rejects a used one (5720), another chain (5710), another account
 *   (4100), another version (-32602), and `atomicRequired` when it is not atomic (5760). All calls are one
 *   transaction, which reverts as a whole.
 * - `wallet_getCallsStatus` rejects an unknown id (5730), and answers 100 while the batch is pending, 200 once it is
 *   mined and 500 if it reverted as a whole; the receipt is that of the bundler's transaction.
 *
 * The account is a deployed Multicall3, which makes any account's calls; the bundler is an EOA that pays for gas. The
 * sender of every transaction, and the `from` of every receipt, is therefore the bundler. `eth_sendTransaction` works
 * the same way with one call. Signatures are placeholders in the form of ERC-6492; the wallet does not check them.
 */
export class BatchWallet {
  readonly address: Address;
  readonly behaviour: BatchWalletBehaviour = {
    atomic: "supported",
    batchStatus: undefined,
    isLost: false,
    onAnswer: () => undefined,
    refusals: {},
  };
  /** Transactions of the bundler, in order. */
  readonly hashes: Hex[] = [];
  /** Requested methods, those for the node included. */
  readonly methods: string[] = [];
  readonly #batches = new Map<string, Hex>();
  readonly #bundler: WalletClient<Transport, Chain, Account>;
  readonly #reader: PublicClient;

  constructor(parameters: {
    address: Address;
    bundler: WalletClient<Transport, Chain, Account>;
    reader: PublicClient;
  }) {
    this.address = parameters.address;
    this.#bundler = parameters.bundler;
    this.#reader = parameters.reader;
  }

  /** The `request` function that libraries call. */
  readonly request = async ({ method, params = [] }: Request): Promise<unknown> => {
    this.methods.push(method);
    const code = this.behaviour.refusals[method];
    if (code !== undefined) throw refusal(code);
    const answer = await this.#answer(method, params);
    this.behaviour.onAnswer(method);
    return answer;
  };

  async #answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return [this.address];
      case "eth_sendTransaction":
        return this.#send([params[0] as Call]);
      case "eth_signTypedData_v4":
      case "personal_sign":
        return contractSignature;
      case "wallet_getCallsStatus":
        return this.#status(String(params[0]));
      case "wallet_getCapabilities": {
        if (this.behaviour.atomic === undefined) throw refusal(4200);
        return { [await this.#chain()]: { atomic: { status: this.behaviour.atomic } } };
      }
      case "wallet_sendCalls":
        return this.#sendCalls(params[0] as SendCalls);
      default:
        return this.#reader.request({ method, params } as never);
    }
  }

  async #sendCalls({
    atomicRequired,
    calls,
    chainId,
    from,
    id,
    version,
  }: SendCalls): Promise<{ id: string }> {
    if (version !== "2.0.0") throw refusal(-32602);
    if (from.toLowerCase() !== this.address.toLowerCase()) throw refusal(4100);
    if (chainId !== (await this.#chain())) throw refusal(5710);
    if (this.#batches.has(id)) throw refusal(5720);
    if (atomicRequired && this.behaviour.atomic !== "supported") throw refusal(5760);
    this.#batches.set(id, this.behaviour.isLost ? unsent : await this.#send(calls));
    return { id };
  }

  async #status(id: string): Promise<unknown> {
    const hash = this.#batches.get(id);
    if (hash === undefined) throw refusal(5730);
    if (this.behaviour.batchStatus !== undefined) return this.behaviour.batchStatus;
    const receipt = (await this.#reader.request({
      method: "eth_getTransactionReceipt",
      params: [hash],
    })) as { status: Hex } | null;
    const status = receipt === null ? 100 : receipt.status === "0x1" ? 200 : 500;
    return {
      atomic: true,
      chainId: await this.#chain(),
      id,
      receipts: receipt === null ? [] : [receipt],
      status,
      version: "2.0.0",
    };
  }

  async #send(calls: readonly Call[]): Promise<Hex> {
    const parts = calls.map(({ data = "0x", to, value = "0x0" }) => ({
      allowFailure: false,
      callData: data,
      target: to,
      value: hexToBigInt(value),
    }));
    const hash = await this.#bundler.sendTransaction({
      data: encodeFunctionData({ abi: multicall3Abi, args: [parts], functionName: "aggregate3Value" }),
      // A fixed gas limit: a batch that reverts must be mined too.
      gas: 3_000_000n,
      to: this.address,
      value: parts.reduce((sum, { value }) => sum + value, 0n),
    });
    this.hashes.push(hash);
    return hash;
  }

  async #chain(): Promise<Hex> {
    return (await this.#reader.request({ method: "eth_chainId" })) as Hex;
  }
}

/** A hash without a transaction. */
const unsent: Hex = `0x${"00".repeat(32)}`;

type SendCalls = {
  atomicRequired: boolean;
  calls: readonly Call[];
  chainId: Hex;
  from: Address;
  id: string;
  version: string;
};

/**
 * A signature of an account that is not deployed yet: longer than 65 bytes, and ending in the magic of
 * ERC-6492.
 */
export const contractSignature: Hex = `0x${"ab".repeat(320)}${"6492".repeat(16)}`;

/** An error in the form of EIP-1193. */
function refusal(code: number): Error {
  return Object.assign(new Error(`refused with ${code}`), { code });
}

/** Deploys the account of a {@link BatchWallet}; `bundler` pays. */
export async function deployBatchWallet(
  bundler: WalletClient<Transport, Chain, Account>,
  reader: PublicClient,
): Promise<BatchWallet> {
  const { abi, bytecode } = readArtifact("service/Multicall3");
  const hash = await bundler.deployContract({ abi, args: [], bytecode });
  const { contractAddress } = await reader.waitForTransactionReceipt({ hash });
  if (!contractAddress) throw new Error("the account was not deployed");
  return new BatchWallet({ address: contractAddress, bundler, reader });
}
