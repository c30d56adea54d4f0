import { expect } from "chai";
import { searchCurrencies, searchCurrencyGroups } from "../../../../emulator/currencies/searchCurrencies.ts";
import { isSolverCurrency } from "../../../../emulator/quote/route/planRoute.ts";
import { currenciesRequestSchema } from "../../../../src/schema/chain/currencies.ts";
import { ether, fakeChain, usdc, usdt } from "../support/fakeChains.ts";

const otherUsdc = { ...usdc, address: "0x00000000000000000000000000000000000000C2" } as const;
const chains = [fakeChain(1, "one"), fakeChain(2, "two", { currencies: [ether, otherUsdc] })];
const everything = ["1 ETH", "1 USDC", "1 USDT", "2 ETH", "2 USDC"];

const find = (request: object) =>
  searchCurrencies(chains, currenciesRequestSchema.parse(request), isSolverCurrency).map(
    ({ chainId, symbol }) => `${chainId} ${symbol}`,
  );

describe("searchCurrencies", () => {
  it("no condition, the default list, or verified currencies: finds all", () => {
    for (const request of [{}, { defaultList: true }, { verified: true }, { useExternalSearch: true }]) {
      expect(find(request)).to.deep.equal(everything);
    }
  });

  const cases: [name: string, request: object, expected: string[]][] = [
    ["chains", { chainIds: [2] }, ["2 ETH", "2 USDC"]],
    ["an unknown chain", { chainIds: [3] }, []],
    ["part of a symbol in any case", { term: "uSd" }, ["1 USDC", "1 USDT", "2 USDC"]],
    ["part of a name", { term: "tether" }, ["1 USDT"]],
    ["part of an address", { term: usdt.address.slice(0, 12).toUpperCase() }, ["1 USDT"]],
    ["an address in any case", { address: usdc.address.toLowerCase() }, ["1 USDC"]],
    ["an id", { currencyId: "USDC" }, ["1 USDC", "2 USDC"]],
    [
      "tokens",
      { tokens: [`1:${usdt.address}`, `2:${ether.address}`, `2:${usdt.address}`] },
      ["1 USDT", "2 ETH"],
    ],
    ["several conditions at once", { chainIds: [1], currencyId: "usdc", term: "coin" }, ["1 USDC"]],
    ["conditions that contradict each other", { chainIds: [2], address: usdt.address }, []],
    [
      "a currency on every chain",
      { address: otherUsdc.address, chainIds: [2], includeAllChains: true },
      ["1 USDC", "2 USDC"],
    ],
    ["a limit of two", { limit: 2 }, ["1 ETH", "1 USDC"]],
    [
      "what deposit addresses take: native currency and USDC",
      { depositAddressOnly: true },
      ["1 ETH", "1 USDC", "2 ETH", "2 USDC"],
    ],
  ];
  for (const [name, request, expected] of cases) {
    it(`finds by ${name}`, () => {
      expect(find(request)).to.deep.equal(expected);
    });
  }

  it("version 1: groups the chains of a currency, and limits the groups", () => {
    const groups = searchCurrencyGroups(chains, currenciesRequestSchema.parse({ limit: 2 }));
    expect(
      groups.map((group) => group.map(({ chainId, groupID, symbol }) => [groupID, chainId, symbol])),
    ).to.deep.equal([
      [
        ["eth", 1, "ETH"],
        ["eth", 2, "ETH"],
      ],
      [
        ["usdc", 1, "USDC"],
        ["usdc", 2, "USDC"],
      ],
    ]);
  });
});
