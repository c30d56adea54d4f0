import { expect } from "chai";
import { createWalletClient, custom, type Hex, keccak256, numberToHex } from "viem";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { tryPayment } from "../unit/execute/support/alteredAnswers.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";

/**
 * docs/execute.md, State: "What is not found may still be on its way, so it is refused until a person decides: look at the
 * account, then set `status` to `sent` with the `txHash` that you found, or remove the item when there is none."
 */
describe("attack: a person decides about an item that is `sending`, in the same process", () => {
  beforeEach(() => paymentLedger.clear());

  for (const isSent of [true]) {
    it(`a wallet that fails after it ${isSent ? "sent" : "sent nothing"}: the decision of the person is followed`, async () => {
      const chain = fakeChain();
      let raw: Hex | undefined;
      let isFixed = false;
      const request = async ({
        method,
        params = [],
      }: {
        method: string;
        params?: unknown[];
      }): Promise<unknown> => {
        // The search of the chain finds nothing, as for a transaction that a relayer sends for the account.
        if (method === "eth_blockNumber") return numberToHex(5);
        if (method !== "eth_sendTransaction") return chain.request({ method, params });
        const [{ data, to, value }] = params as [{ data: Hex; to: Hex; value: Hex }];
        raw = await account.signTransaction({
          chainId: 31337,
          data,
          gas: 21_000n,
          maxFeePerGas: 2n,
          maxPriorityFeePerGas: 1n,
          nonce: 0,
          to,
          type: "eip1559",
          value: BigInt(value),
        });
        if (isSent || isFixed) await chain.request({ method: "eth_sendRawTransaction", params: [raw] });
        if (isFixed) return keccak256(raw);
        throw Object.assign(new Error("internal"), { code: -32603 });
      };
      const wallet = createWalletClient({
        account: account.address,
        transport: custom({ request }, { retryCount: 0 }),
      });
      const first = await tryPayment(chain, { wallet });
      expect((first.error as { code: string }).code).to.equal("PAYMENT_UNSETTLED");
      isFixed = true;
      const items = isSent
        ? first.saved?.items.map((entry) => ({
            ...entry,
            status: "sent" as const,
            txHash: keccak256(raw as Hex),
          }))
        : [];
      const decided = { ...first.saved, items } as never;
      const again = await tryPayment(chain, { state: decided, wallet });
      console.log("same process:", String(again.error).split("\n")[0]);
      // A new process takes the same state.
      paymentLedger.clear();
      const restarted = await tryPayment(chain, { state: decided, wallet });
      console.log("after a restart:", restarted.status, String(restarted.error).split("\n")[0]);
      expect(again.status).to.equal("success");
    });
  }
});
