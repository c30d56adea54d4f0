import { expect } from "chai";
import { createWalletClient, custom } from "viem";
import { depositStep } from "../unit/client/support/samples.ts";
import { start } from "../unit/execute/support/attempt.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";
import { approveStep } from "../unit/execute/support/steps.ts";

/** docs/execute.md, Signing: "A mined transaction of another chain, or another one of the account than the step's, is an error." */
describe("attack: a wallet whose user switches the chain while a batch is shown", () => {
  it("the wallet says that the batch was mined on chain 1: it is an open payment, not a complete one", async () => {
    const chain = fakeChain({ allowances: [5n] });
    const request = async ({
      method,
      params = [],
    }: {
      method: string;
      params?: unknown[];
    }): Promise<unknown> => {
      if (method === "wallet_getCapabilities") return { "0x7a69": { atomic: { status: "supported" } } };
      if (method === "wallet_sendCalls") return { id: "0x01" };
      if (method === "wallet_getCallsStatus") {
        const receipt = {
          blockHash: `0x${"b1".repeat(32)}`,
          blockNumber: "0x10",
          chainId: "0x1",
          gasUsed: "0x5208",
          logs: [],
          status: "0x1",
          transactionHash: `0x${"77".repeat(32)}`,
        };
        return {
          atomic: true,
          chainId: "0x1",
          id: "0x01",
          receipts: [receipt],
          status: 200,
          version: "2.0.0",
        };
      }
      return chain.request({ method, params });
    };
    const wallet = createWalletClient({
      account: account.address,
      transport: custom({ request }, { retryCount: 0 }),
    });
    const { events, result } = start({ chain, steps: [approveStep(), depositStep()], wallet });
    const answer = await result.catch((error: unknown) => error);
    console.log(
      (answer as { code?: string }).code ?? (answer as { status: string }).status,
      events.flatMap((each) => (each.type === "item" ? each.phase : [])),
    );
    expect(answer).to.have.property("code", "PAYMENT_UNSETTLED");
  });
});
