import { type Hex, hexToBigInt, hexToNumber, keccak256, toHex } from "viem";
import type { Node } from "./nodes.ts";
import type { Script } from "./Script.ts";
import type { Scene } from "./scene.ts";
import { type Provider, providerError, resultOf } from "./transports.ts";

type Asked = Readonly<Record<string, Hex | undefined>>;

/** What a browser's wallet does of itself, apart from its user's requests. */
export type BrowserWalletOptions = Pick<Script, "isPlainWallet"> & {
  /** Node of the origin chain. */
  readonly node: Node;
  /** Node of the other chain. */
  readonly otherNode: Node;
  readonly isRejected: boolean;
  readonly switches: readonly [number, number] | undefined;
};

/**
 * An honest wallet that signs and sends itself. It names its own chain, refuses a transaction for another one, fills only what
 * is missing, and asks its user. It passes the errors of its node on, with their codes (`isPlainWallet`) or under -32603, as
 * wallets do; codes of EIP-1193 and EIP-5792 are only ever its own.
 */
export function openBrowserWallet({ origin, other, victim }: Scene, options: BrowserWalletOptions): Provider {
  const { isPlainWallet, isRejected, node, otherNode, switches } = options;
  let requests = 0;
  let wasRejected = false;
  const isAway = () => switches !== undefined && requests >= switches[0] && requests < switches[1];
  const chainId = () => (isAway() ? other.id : origin.id);
  const read = async (method: string, params: readonly unknown[]) =>
    resultOf(await (isAway() ? otherNode : node)(method, params));

  const sign = async (asked: Asked): Promise<Hex> => {
    const { data = "0x", from, to, value = "0x0" } = asked;
    if (from?.toLowerCase() !== victim.address.toLowerCase())
      throw providerError({ code: 4100, message: "unknown account" });
    if (isRejected && !wasRejected) {
      wasRejected = true;
      throw providerError({ code: 4001, message: "User rejected the request." });
    }
    const chain = chainId();
    if (asked.chainId !== undefined && hexToNumber(asked.chainId) !== chain)
      throw providerError({ code: -32602, message: "the chain of the transaction is not the wallet's" });
    const quantity = async (name: string, method: string, ...params: unknown[]) =>
      hexToBigInt((asked[name] ?? (await read(method, params))) as Hex);
    const gas = await quantity("gas", "eth_estimateGas", { data, from, to, value });
    const maxFeePerGas = await quantity("maxFeePerGas", "eth_gasPrice");
    const nonce = await quantity("nonce", "eth_getTransactionCount", from, "pending");
    return victim.signTransaction({
      chainId: chain,
      data,
      gas,
      maxFeePerGas,
      maxPriorityFeePerGas: hexToBigInt(asked.maxPriorityFeePerGas ?? toHex(maxFeePerGas)),
      nonce: Number(nonce),
      to: to ?? null,
      type: "eip1559",
      value: hexToBigInt(value),
    });
  };
  const send = async (asked: Asked): Promise<Hex> => {
    const raw = await sign(asked);
    const outcome = await (isAway() ? otherNode : node)("eth_sendRawTransaction", [raw]);
    if ("result" in outcome) return keccak256(raw);
    const { code, message } = "error" in outcome ? outcome.error : { code: -32603, message: outcome.fault };
    throw providerError({ code: isPlainWallet && !isOwnCode(code) ? code : -32603, message });
  };
  return {
    request: async ({ method, params = [] }) => {
      requests++;
      const list = params as readonly unknown[];
      switch (method) {
        case "eth_accounts":
        case "eth_requestAccounts":
          return [victim.address];
        case "eth_chainId":
          return toHex(chainId());
        case "net_version":
          return String(chainId());
        case "eth_sendTransaction":
          return send(list[0] as Asked);
        case "wallet_sendTransaction":
          if (isPlainWallet) return send(list[0] as Asked);
          break;
        default:
          if (!/^wallet_|sign/i.test(method)) return read(method, list);
      }
      throw providerError({ code: 4200, message: `${method} is not supported` });
    },
  };
}

/** Whether a code is one of wallets, which no node answers with. */
function isOwnCode(code: number): boolean {
  return code >= 4_000 && code < 6_000;
}
