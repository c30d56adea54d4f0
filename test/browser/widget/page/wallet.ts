import {
  type Address,
  createWalletClient,
  type Hex,
  http,
  numberToHex,
  type RpcTransactionRequest,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { waitForTransactionReceipt } from "viem/actions";
import type { PageChain } from "./settings.ts";

const testMnemonic = "test test test test test test test test test test test junk";

/** Methods that ask the person for a signature. */
const signing: ReadonlySet<string> = new Set([
  "eth_sendTransaction",
  "eth_signTypedData_v4",
  "personal_sign",
  "wallet_sendCalls",
]);

type Call = { readonly method: string; readonly params?: readonly unknown[] | undefined };
type Listener = (value: unknown) => void;

/** Error of EIP-1193, which carries a code. */
class ProviderError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/**
 * A wallet as a browser extension offers it (EIP-1193), of one account of the public test mnemonic: it signs here and
 * sends signed transactions. `log` holds every request to sign; the person refuses the next `person.refusals` of them.
 */
export function createWallet(chains: readonly PageChain[], accountIndex: number, { canBatch = false } = {}) {
  const account = mnemonicToAccount(testMnemonic, { addressIndex: accountIndex });
  const listeners = new Map<string, Set<Listener>>();
  const log: Call[] = [];
  const person = { refusals: 0 };
  let active = chainOf(chains, chains[0]?.id);

  const signer = () => createWalletClient({ account, transport: http(active.rpcUrl) });

  async function switchTo([wanted]: readonly unknown[]): Promise<null> {
    const { chainId } = wanted as { chainId: Hex };
    active = chainOf(chains, Number(chainId));
    for (const listener of listeners.get("chainChanged") ?? []) listener(chainId);
    return null;
  }

  async function send([transaction]: readonly unknown[]): Promise<Hex> {
    const { data, from, gas, maxFeePerGas, maxPriorityFeePerGas, to, value } =
      transaction as RpcTransactionRequest;
    if (from !== undefined && from.toLowerCase() !== account.address.toLowerCase()) {
      throw new ProviderError(4100, `${from} is not an account of this wallet`);
    }
    const hash = await signer().sendTransaction({
      chain: null,
      data: data ?? "0x",
      to: to as Address,
      value: BigInt(value ?? 0),
      ...(gas !== undefined && { gas: BigInt(gas) }),
      ...(maxFeePerGas !== undefined && { maxFeePerGas: BigInt(maxFeePerGas) }),
      ...(maxPriorityFeePerGas !== undefined && { maxPriorityFeePerGas: BigInt(maxPriorityFeePerGas) }),
    });
    return hash;
  }

  /** Sends the calls one after the other; the id is the last hash. */
  async function sendCalls([batch]: readonly unknown[]): Promise<{ id: Hex }> {
    const { calls } = batch as { calls: readonly object[] };
    let id: Hex = "0x";
    for (const call of calls) {
      id = await send([call]);
      await waitForTransactionReceipt(signer(), { hash: id });
    }
    return { id };
  }

  const own: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
    eth_accounts: () => [account.address],
    eth_chainId: () => numberToHex(active.id),
    eth_requestAccounts: () => [account.address],
    eth_sendTransaction: send,
    eth_signTypedData_v4: ([, typedData]) => account.signTypedData(JSON.parse(typedData as string)),
    personal_sign: ([message]) => account.signMessage({ message: { raw: message as Hex } }),
    wallet_getCapabilities: () => {
      if (!canBatch) throw new ProviderError(-32601, "this wallet makes no batches");
      return Object.fromEntries(
        chains.map(({ id }) => [numberToHex(id), { atomic: { status: "supported" } }]),
      );
    },
    wallet_sendCalls: sendCalls,
    wallet_switchEthereumChain: switchTo,
  };

  return {
    log,
    on: (event: string, listener: Listener) => {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    person,
    removeListener: (event: string, listener: Listener) => {
      listeners.get(event)?.delete(listener);
    },
    request: async ({ method, params = [] }: Call): Promise<unknown> => {
      if (signing.has(method)) log.push({ method, params });
      if (signing.has(method) && person.refusals > 0) {
        person.refusals--;
        throw new ProviderError(4001, "User rejected the request.");
      }
      const handle = own[method];
      if (handle !== undefined) return handle(params);
      return signer().request({ method, params } as never);
    },
  };
}

function chainOf(chains: readonly PageChain[], id: number | undefined): PageChain {
  const chain = chains.find((each) => each.id === id);
  if (chain === undefined) throw new ProviderError(4902, `there is no chain ${id}`);
  return chain;
}
