import { expect } from "chai";
import { createPublicClient, createWalletClient, custom, type PublicClient, type Transport } from "viem";
import { BaseError } from "../../src/errors/BaseError.ts";
import { paymentLedger } from "../../src/execute/paymentLedger.ts";
import { bridgeQuote, depositStep, intent } from "../unit/client/support/samples.ts";
import { alterNode, sendingWallet, tryPayment } from "../unit/execute/support/alteredAnswers.ts";
import { account, fakeChain } from "../unit/execute/support/fakeChain.ts";
import { signatureStep } from "../unit/execute/support/steps.ts";

describe("attack: untyped errors", () => {
  beforeEach(() => paymentLedger.clear());

  it("a quote of 80 kB with 20,000 levels: is refused by a typed error", async () => {
    const levels = 20_000;
    const text = JSON.stringify(
      bridgeQuote([signatureStep(undefined, { body: { a: "deep" } }), depositStep()]),
    );
    const quote = JSON.parse(text.replace('"deep"', `${"[".repeat(levels)}${"]".repeat(levels)}`));
    const { error } = await tryPayment(fakeChain(), { quote, request: intent, verify: {} });
    console.log(String(error).split("\n")[0]);
    expect(error).to.be.instanceOf(BaseError);
  });

  it("a local account whose signTransaction throws at once: the error is typed", async () => {
    const chain = fakeChain();
    const wallet = createWalletClient({
      account: {
        ...account,
        signTransaction: () => {
          throw new Error("the device is locked");
        },
      },
      transport: custom({ request: chain.request }, { retryCount: 0 }),
    });
    const { error } = await tryPayment(chain, { wallet });
    console.log(String(error).split("\n")[0]);
    expect(error).to.be.instanceOf(BaseError);
  });

  for (const tip of ["-5"] as const) {
    it(`a node that names a tip of ${tip}: the wallet is not asked, the payment is not open, and an honest node pays later`, async () => {
      const chain = fakeChain();
      const request = alterNode(chain, async (call, honest) =>
        call.method === "eth_maxPriorityFeePerGas"
          ? tip
          : call.method === "eth_getBlockByNumber"
            ? { ...((await honest(call)) as object), baseFeePerGas: "0x3e8" }
            : honest(call),
      );
      const publicClient = createPublicClient({ cacheTime: 0, transport: custom({ request }) });
      const first = await tryPayment(chain, {
        publicClient: publicClient as PublicClient<Transport>,
        wallet: sendingWallet(chain, (hash) => hash),
      });
      const asked = chain.sent.length;
      const again = await tryPayment(chain, { wallet: sendingWallet(chain, (hash) => hash) });
      console.log(
        String(first.error).split("\n")[0],
        "| asked:",
        asked,
        "| then:",
        String(again.error).split("\n")[0],
      );
      if (asked === 0) expect((first.error as { code: string }).code).to.not.equal("PAYMENT_UNSETTLED");
      expect(again.status).to.equal("success");
    });
  }
});
