import { expect } from "chai";
import { createClient, getRequests } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  carryOut,
  movePool,
  quoteFor,
  recipient,
  requestIdOf,
  type Wanted,
} from "../../helpers/quotes/intents.ts";

describe("delivered amounts in records", () => {
  const fixture = useEmulator();

  const cases: readonly (Wanted & { readonly name: string })[] = [
    { from: "USDC", name: "a token, when a pool moved before the fill", to: "WETH" },
    { from: "USDC", name: "native currency, which leaves no event", to: "ETH" },
    { from: "ETH", name: "a token that the user's own transaction bought", sameChain: true, to: "USDT" },
    {
      from: "USDT",
      name: "native currency that the user's own transaction bought",
      sameChain: true,
      to: "ETH",
    },
  ];
  for (const { name, ...wanted } of cases) {
    it(`the record has the received amount, not the quoted one: ${name}`, async () => {
      const chain = wanted.sameChain === true ? fixture.alpha : fixture.beta;
      const quote = await quoteFor(fixture, { ...wanted, slippageTolerance: "500" });
      const [sold, bought] = [wanted.from, wanted.to].map((symbol) => (symbol === "ETH" ? "WETH" : symbol));
      if (sold === undefined || bought === undefined) throw new Error("nothing is exchanged");
      await movePool(chain, sold, bought, 2n);
      const before = await chain.balanceOf(chain.currency(wanted.to), recipient);
      await carryOut(fixture, quote);
      const got = (await chain.balanceOf(chain.currency(wanted.to), recipient)) - before;

      const { apiKeys, apiUrl } = fixture.emulator.info;
      const keyed = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
      const { requests } = await getRequests(keyed, { id: requestIdOf(quote) });
      const { actual } = requests[0]?.data?.route ?? {};
      expect(actual?.destination?.outputCurrency?.amount).to.equal(got.toString());
      expect(Number(got)).to.be.lessThan(Number(quote.details.currencyOut.amount));
    });
  }
});
