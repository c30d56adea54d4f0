import { expect } from "chai";
import { parseEther, parseUnits, zeroAddress } from "viem";
import { type GetPriceParameters, getPrice, getQuote, type Quote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";

import { quoteSchema } from "../../../src/schema/quote/quote.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askPlainly, bridgeIntent, bridgeRecipient as recipient } from "../../helpers/quotes/bridgeIntent.ts";

describe("the price, and the quote's first version", () => {
  const fixture = useEmulator();

  const intent = () => bridgeIntent(fixture);

  const ask = (path: string, init?: RequestInit) => askPlainly(fixture, path, init);

  async function quote(parameters: GetPriceParameters): Promise<Quote> {
    return getQuote(fixture.client, parameters);
  }

  describe("POST /price", () => {
    const kinds: [name: string, change: () => Partial<GetPriceParameters>][] = [
      ["a bridge", () => ({})],
      ["an exact output", () => ({ tradeType: "EXACT_OUTPUT" })],
      [
        "a swap with app fees and a slippage",
        () => ({
          amount: parseUnits("250", 6),
          appFees: [{ fee: "125", recipient }],
          originCurrency: fixture.alpha.currency("USDC"),
          slippageTolerance: "75",
        }),
      ],
      [
        "a swap on one chain",
        () => ({
          destinationChainId: fixture.alpha.info.id,
          destinationCurrency: fixture.alpha.currency("USDT"),
        }),
      ],
      [
        "calls",
        () => ({
          amount: 5n,
          tradeType: "EXACT_OUTPUT",
          txs: [{ to: recipient, value: 5n }],
        }),
      ],
    ];
    for (const [name, change] of kinds) {
      // @spec endpoints/price
      it(`a price has the numbers of the quote that follows, for ${name}`, async () => {
        const price = await getPrice(fixture.client, { ...intent(), ...change() });
        const { details, fees } = await quote({ ...intent(), ...change() });
        expect(price).to.deep.equal({ details, fees });
      });
    }

    it("a price validates the whole body as a quote does, fields that only a quote uses included", async () => {
      for (const change of [{ topupGasAmount: "much" }, { includedSwapSources: 5 }, { ttl: "soon" }]) {
        const body = JSON.stringify({ ...intent(), amount: "1", ...change });
        const { body: answer, status } = await ask("/price", { body, method: "POST" });
        expect(status).to.equal(400);
        expect(answer).to.have.property("errorCode", "INVALID_REQUEST");
      }
    });
  });

  describe("POST /quote", () => {
    // @spec endpoints/quote-v1 version/paths
    it("POST /quote returns the quote of version 2, which can be executed", async () => {
      const before = await fixture.beta.balanceOf(zeroAddress, recipient);
      const { body, status } = await ask("/quote", {
        body: JSON.stringify({ ...intent(), amount: parseEther("1").toString() }),
        method: "POST",
      });
      expect(status).to.equal(200);
      const first = quoteSchema.parse(body);
      const wallet = fixture.alpha.wallet(0);
      await execute(fixture.client, {
        publicClient: fixture.alpha.reader,
        quote: first,
        verify: false,
        wallet,
      });
      const after = await fixture.beta.balanceOf(zeroAddress, recipient);
      expect(after - before).to.equal(BigInt(first.details.currencyOut.amount));
    });
  });
});
