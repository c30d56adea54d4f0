import { expect } from "chai";
import { createWalletClient, custom, erc20Abi, parseUnits } from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { type ExecuteParameters, type ExecutionState, execute } from "../../../src/execute/index.ts";
import { paymentLedger } from "../../../src/execute/paymentLedger.ts";
import { deployBatchWallet } from "../../helpers/batchWallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";

describe("execute and odd answers about a batch", () => {
  const fixture = useEmulator();
  beforeEach(() => paymentLedger.clear());

  async function stage() {
    const account = await deployBatchWallet(fixture.alpha.wallet(4), fixture.alpha.reader);
    await fixture.alpha.wallet(4).writeContract({
      abi: erc20Abi,
      address: fixture.alpha.currency("USDC"),
      args: [account.address, parseUnits("100", 6)],
      functionName: "transfer",
    });
    const quote = await getQuote(
      fixture.client,
      bridgeIntent(fixture, {
        amount: parseUnits("10", 6),
        destinationCurrency: fixture.beta.currency("USDC"),
        originCurrency: fixture.alpha.currency("USDC"),
        recipient,
        user: account.address,
      }),
    );
    let saved: ExecutionState | undefined;
    const run = async (more: Partial<ExecuteParameters> = {}) => {
      try {
        const { status } = await execute(fixture.client, {
          onProgress: ({ state }) => {
            saved = JSON.parse(JSON.stringify(state));
          },
          quote,
          timeout: 5_000,
          verify: false,
          wallet: createWalletClient({
            account: account.address,
            transport: custom(account, { retryCount: 0 }),
          }),
          ...more,
        });
        return status;
      } catch (error) {
        return (error as { code?: string }).code;
      }
    };
    return { account, run, saved: () => saved };
  }

  for (const status of [300, 302, 399]) {
    it(`a wallet that sent a batch and says status ${status}, which no standard has: is open, and paid once`, async () => {
      const { account, run } = await stage();
      account.behaviour.batchStatus = { receipts: [], status };
      const code = await run();
      account.behaviour.batchStatus = undefined;
      await run();
      expect(account.hashes).to.have.length(1);
      expect(code).to.equal("PAYMENT_UNSETTLED");
    });
  }

  it("a wallet whose receipt of a batch has half a hash: another process can continue the state", async () => {
    const { account, run, saved } = await stage();
    const receipt = { blockNumber: "0x7", gasUsed: "0x1", status: "0x1", transactionHash: "0x1234" };
    account.behaviour.batchStatus = { receipts: [receipt], status: 200 };
    await run();
    account.behaviour.batchStatus = undefined;
    paymentLedger.clear();
    expect(await run({ state: saved() })).to.equal("success");
    expect(account.hashes).to.have.length(1);
  });
});
