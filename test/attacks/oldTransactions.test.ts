import { expect } from "chai";
import {
  createPublicClient,
  createWalletClient,
  custom,
  type Hex,
  keccak256,
  numberToHex,
  type PublicClient,
  parseTransaction,
  type Transport,
} from "viem";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { tryPayment } from "../unit/execute/support/alteredAnswers.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";

const codeOf = (error: unknown) => (error as { code?: string } | undefined)?.code;

/** A signed transaction as a node shows it. */
function shown(raw: Hex, hash: Hex) {
  const {
    accessList: _,
    chainId,
    data,
    gas,
    maxFeePerGas,
    maxPriorityFeePerGas,
    nonce,
    r,
    s,
    to,
    value,
    yParity,
  } = parseTransaction(raw) as never as Record<string, never>;
  const hex = (each: unknown) => numberToHex((each as bigint | undefined) ?? 0);
  return {
    accessList: [],
    blockHash: `0x${"b1".repeat(32)}`,
    blockNumber: "0x1",
    chainId: hex(chainId),
    from: account.address,
    gas: hex(gas),
    hash,
    input: data ?? "0x",
    maxFeePerGas: hex(maxFeePerGas),
    maxPriorityFeePerGas: hex(maxPriorityFeePerGas),
    nonce: hex(nonce),
    r,
    s,
    to,
    transactionIndex: "0x0",
    type: "0x2",
    v: hex(yParity),
    value: hex(value),
    yParity: hex(yParity),
  };
}

describe("attack: a node that shows an old transaction of the account under the hash of a pending payment", () => {
  beforeEach(() => paymentLedger.clear());

  it("a pending payment of a wallet is not called replaced, because the node's transaction has another hash", async () => {
    const chain = fakeChain();
    const common = {
      chainId: 31337,
      gas: 21_000n,
      maxFeePerGas: 2n,
      maxPriorityFeePerGas: 1n,
      type: "eip1559",
    } as const;
    // Mined long ago, and public.
    const old = await account.signTransaction({ ...common, nonce: 0, to: account.address, value: 7n });
    let paid: Hex | undefined;
    const request = async ({
      method,
      params = [],
    }: {
      method: string;
      params?: unknown[];
    }): Promise<unknown> => {
      if (method === "eth_sendTransaction") {
        const [{ data, to, value }] = params as [{ data: Hex; to: Hex; value: Hex }];
        paid = await account.signTransaction({ ...common, data, nonce: 1, to, value: BigInt(value) });
        return keccak256(paid);
      }
      if (paid === undefined) return chain.request({ method, params });
      if (method === "eth_getTransactionReceipt") return null;
      if (method === "eth_getTransactionByHash") return shown(old, params[0] as Hex);
      if (method === "eth_getTransactionCount") return "0x1";
      if (method === "eth_getBlockByNumber")
        return {
          ...((await chain.request({ method, params })) as object),
          transactions: [shown(old, keccak256(old))],
        };
      return chain.request({ method, params });
    };
    const transport = custom({ request }, { retryCount: 0 });
    const { error } = await tryPayment(chain, {
      publicClient: createPublicClient({ cacheTime: 0, transport }) as PublicClient<Transport>,
      timeout: 2_000,
      wallet: createWalletClient({ account: account.address, transport }),
    });
    // The payment waits in the mempool with nonce 1, and takes effect; the error asks for a new quote.
    expect(codeOf(error), String(error)).to.equal("PAYMENT_UNSETTLED");
  }).timeout(20_000);
});
