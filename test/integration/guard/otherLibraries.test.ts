import { expect } from "chai";
import { BrowserProvider, type Eip1193Provider } from "ethers";
import { createWalletClient, custom, type EIP1193Provider } from "viem";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { getQuote, waitForRequest } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { createQuoteGuard, guardProvider, type WalletProvider } from "../../../src/guard/index.ts";
import { createWallet } from "../../browser/widget/page/wallet.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { marketPrice } from "../../helpers/guard/marketPrice.ts";
import { recipient, requestIdOf, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { attacker, paymentOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";

describe("a guarded wallet of other libraries", () => {
  const fixture = useEmulator();

  /** A guarded wallet that has learned a quote, by handing it over. */
  async function open(from: TestSymbol, to: TestSymbol, sameChain = false) {
    const { client, emulator } = fixture;
    const request = requestOf(fixture, from, to, { sameChain });
    const quote = await getQuote(client, request);
    const trust = trustOfEmulator(emulator.info);
    const guard = createQuoteGuard({ policy: { price: marketPrice(emulator.info.chains), trust } });
    expect(await guard.add({ quote, request })).to.include({ isProven: true });
    const page = createWallet(emulator.info.chains, 0);
    const provider: WalletProvider = guardProvider(page, guard);
    return { page, provider, quote, request, trust };
  }

  const held = () => fixture.beta.balanceOf(fixture.beta.currency("ETH"), recipient);

  it("ethers: its signer pays a proven quote, and is refused anything else", async () => {
    const { page, provider, quote } = await open("ETH", "ETH");
    const had = await held();
    const signer = await new BrowserProvider(provider as Eip1193Provider).getSigner();
    const { data, to, value } = paymentOf(quote);
    const call = { data: data ?? "0x", to, value: BigInt(value ?? 0) };
    expect(await failureOf(signer.sendTransaction({ ...call, to: attacker }))).to.be.instanceOf(Error);
    expect(await failureOf(signer.signMessage(new Uint8Array(32)))).to.be.instanceOf(Error);
    expect(page.log).to.deep.equal([]);
    await signer.sendTransaction(call);
    await waitForRequest(fixture.client, { requestId: requestIdOf(quote) });
    expect((await held()) - had).to.equal(BigInt(quote.details.currencyOut.amount));
    expect(page.log).to.have.length(1);
  }).timeout(30_000);

  for (const [from, to, sameChain] of [
    ["USDC", "ETH", false],
    ["ETH", "USDC", true],
  ] as const) {
    it(`viem, and execute: a quote of ${from} to ${to} that execute proves as well, guards included, passes`, async () => {
      const { page, provider, quote, request, trust } = await open(from, to, sameChain);
      const wallet = createWalletClient({
        account: fixture.alpha.wallet(0).account.address,
        transport: custom(provider as EIP1193Provider),
      });
      const price = marketPrice(fixture.emulator.info.chains);
      const { alpha, client } = fixture;
      const verify = { price, trust };
      // Guard and run share the ledger: the run claims the payment first.
      const asked = execute(client, { publicClient: alpha.reader, quote, request, verify, wallet });
      const { status } = await asked;
      expect(status).to.equal("success");
      expect(page.log.length).to.equal(quote.steps.length);
    }).timeout(30_000);
  }
});
