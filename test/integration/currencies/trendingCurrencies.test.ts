import { expect } from "chai";

import { currenciesSchema } from "../../../src/schema/chain/currencies.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { carryOut, quoteFor } from "../../helpers/quotes/intents.ts";

describe("trending currencies", () => {
  const fixture = useEmulator();

  async function trending(query = "") {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/currencies/trending${query}`);
    expect(answer.status).to.equal(200);
    return currenciesSchema.parse(await answer.json());
  }

  async function posted(body?: object) {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/currencies/trending`, {
      ...(body !== undefined && { body: JSON.stringify(body) }),
      method: "POST",
    });
    expect(answer.status).to.equal(200);
    return currenciesSchema.parse(await answer.json());
  }

  it("lists every currency with the fields that the widget reads, by GET and by POST", async () => {
    const listed = await trending();
    expect(listed).to.have.length(8);
    const { beta } = fixture;
    const usdc = listed.find(({ chainId, symbol }) => chainId === beta.info.id && symbol === "USDC");
    expect(usdc).to.deep.equal({
      address: beta.currency("USDC").toLowerCase(),
      chainId: beta.info.id,
      decimals: 6,
      metadata: {
        isNative: false,
        logoURI: `${fixture.emulator.info.apiUrl}/images/currencies/usdc`,
        verified: true,
      },
      name: "USD Coin",
      symbol: "USDC",
      vmType: "evm",
    });
    expect(await posted()).to.deep.equal(listed);
    expect(await posted({})).to.deep.equal(listed);
  });

  it("orders currencies by filled requests that bought them, or by their dollars", async () => {
    for (const to of ["USDT", "USDT"] as const)
      await carryOut(fixture, await quoteFor(fixture, { from: "USDC", to }));
    await carryOut(fixture, await quoteFor(fixture, { amount: 1_000_000_000n, from: "USDC", to: "WETH" }));
    await quoteFor(fixture, { amount: 5_000_000_000n, from: "USDC", to: "USDC" });
    const names = (listed: readonly { symbol: string; chainId: number }[]) =>
      listed.slice(0, 2).map(({ chainId, symbol }) => [symbol, chainId]);
    const { id } = fixture.beta.info;
    expect(names(await trending())).to.deep.equal([
      ["USDT", id],
      ["WETH", id],
    ]);
    const byVolume = { sortBy: "relay24hBuyUsdVolume" };
    expect(names(await posted(byVolume))).to.deep.equal([
      ["WETH", id],
      ["USDT", id],
    ]);
    expect(names(await trending("?sortBy=coingecko6hTrending"))[0]).to.deep.equal([
      "ETH",
      fixture.alpha.info.id,
    ]);
  });

  it("applies a chain and a limit, and rejects unknown limits and sorts", async () => {
    const { id } = fixture.beta.info;
    const some = await trending(`?chainId=${id}&limit=2`);
    expect(some.map(({ chainId }) => chainId)).to.deep.equal([id, id]);
    expect(await posted({ chainId: id, limit: 2 })).to.deep.equal(some);
    expect(await trending("?chainId=1&referrer=widget")).to.deep.equal([]);
    const { apiUrl } = fixture.emulator.info;
    for (const query of ["limit=0", "limit=1001", "limit=-1", "limit=x", "sortBy=x", "chainId=x"]) {
      const answer = await fetch(`${apiUrl}/currencies/trending?${query}`);
      expect(answer.status, query).to.equal(400);
    }
  });
});
