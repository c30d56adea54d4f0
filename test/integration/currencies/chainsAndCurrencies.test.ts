import { expect } from "chai";
import { parseEther, parseUnits, zeroAddress } from "viem";
import {
  type GetPriceParameters,
  getChainLiquidity,
  getChains,
  getConfig,
  getCurrencies,
  getPrice,
  getQuote,
  getSwapSources,
  getTokenPrice,
} from "../../../src/client/index.ts";

import { tokenPriceSchema } from "../../../src/schema/chain/tokenPrice.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import {
  askPlainly,
  bridgeIntent,
  bridgeRecipient as recipient,
  refusalOf,
} from "../../helpers/quotes/bridgeIntent.ts";

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

describe("the read endpoints", () => {
  const fixture = useEmulator();

  const intent = () => bridgeIntent(fixture);

  const ask = (path: string, init?: RequestInit) => askPlainly(fixture, path, init);

  describe("the currencies", () => {
    // @spec currency/fields currency/metadata currency/native endpoints/currencies
    it("currencies are the chains' own, flat, with every field that the first version nests in groups", async () => {
      const flat = await getCurrencies(fixture.client, { limit: 100 });
      expect(flat.map(({ address, chainId }) => `${chainId}:${address}`)).to.deep.equal(
        [fixture.alpha, fixture.beta].flatMap(({ info }) =>
          info.currencies.map(({ address }) => `${info.id}:${address.toLowerCase()}`),
        ),
      );
      expect(flat[0]).to.deep.equal({
        address: zeroAddress,
        chainId: fixture.alpha.info.id,
        decimals: 18,
        metadata: {
          isNative: true,
          logoURI: `${fixture.emulator.info.apiUrl}/images/currencies/eth`,
          verified: true,
        },
        name: "Ether",
        symbol: "ETH",
        vmType: "evm",
      });
      const groups = await getCurrencies(fixture.client, { limit: 100, version: "v1" });
      expect(groups.map(([first]) => first?.groupID)).to.deep.equal(["eth", "usdc", "usdt", "weth"]);
      expect(groups.flat()).to.have.lengthOf(flat.length);
    });

    // @spec endpoints/token-price
    it("a currency's price is an exact text and a number", async () => {
      for (const [symbol, dollars] of [
        ["ETH", "2500"],
        ["USDC", "1"],
      ] as const) {
        const address = fixture.alpha.currency(symbol);
        expect(
          await getTokenPrice(fixture.client, { address, chainId: fixture.alpha.info.id }),
        ).to.deep.equal({
          price: dollars,
        });
        const { body } = await ask(
          `/currencies/token/price?address=${address}&chainId=${fixture.alpha.info.id}`,
        );
        expect(tokenPriceSchema.parse(body)).to.deep.equal({ price: Number(dollars) });
      }
      const unknown = await refusalOf(
        getTokenPrice(fixture.client, { address: recipient, chainId: fixture.alpha.info.id }),
      );
      expect([unknown.status, unknown.errorCode]).to.deep.equal([400, "UNSUPPORTED_CURRENCY"]);
      const nowhere = await refusalOf(getTokenPrice(fixture.client, { address: zeroAddress, chainId: 5 }));
      expect([nowhere.status, nowhere.errorCode]).to.deep.equal([400, "UNSUPPORTED_CHAIN"]);
    });
  });

  describe("the configuration of a route", () => {
    const route = () => ({ destinationChainId: fixture.beta.info.id, originChainId: fixture.alpha.info.id });

    // @spec endpoints/config
    it("a route has the fee of a quote, the solver's balance and the limit of one request", async () => {
      for (const symbol of ["ETH", "USDC"] as const) {
        const config = await getConfig(fixture.client, { ...route(), currency: symbol.toLowerCase() });
        const { fees } = await getPrice(fixture.client, {
          ...intent(),
          amount: symbol === "ETH" ? parseEther("1") : parseUnits("1", 6),
          destinationCurrency: fixture.beta.currency(symbol),
          originCurrency: fixture.alpha.currency(symbol),
        });
        const balance = await fixture.beta.balanceOf(
          fixture.beta.currency(symbol),
          fixture.emulator.info.solver,
        );
        const lent = symbol === "ETH" ? parseEther("4000") : parseUnits("10000000", 6);
        expect(config).to.deep.equal({
          enabled: true,
          fee: fees.relayer?.amount,
          solver: {
            address: fixture.emulator.info.solver.toLowerCase(),
            balance: balance.toString(),
            capacityPerRequest: least(balance, lent).toString(),
          },
          supportsExternalLiquidity: true,
        });
      }
    });

    it("a route with a user has the amount that the user can bridge: it is quoted and can be paid", async () => {
      const user = fixture.alpha.wallet(1).account.address;
      const config = await getConfig(fixture.client, { ...route(), currency: "usdc", user });
      const currency = fixture.alpha.currency("USDC");
      const balance = await fixture.alpha.balanceOf(currency, user);
      expect(config.user?.balance).to.equal(balance.toString());
      const most = BigInt(config.user?.maxBridgeAmount ?? 0);
      expect(most).to.equal(balance - BigInt(config.fee ?? 0));
      const { details } = await getPrice(fixture.client, {
        ...intent(),
        amount: most,
        destinationCurrency: fixture.beta.currency("USDC"),
        originCurrency: currency,
        tradeType: "EXACT_OUTPUT",
        user,
      });
      expect(BigInt(details.currencyIn.amount)).to.equal(balance);
    });

    it("a route follows the solver's balance, and is closed when that is below a dollar", async () => {
      const holding = {
        account: fixture.emulator.info.solver,
        chainId: fixture.beta.info.id,
        currency: fixture.beta.currency("USDC"),
      };
      const before = await fixture.emulator.control.balances.get(holding);
      const configWith = async (amount: bigint) => {
        await fixture.emulator.control.balances.set({ ...holding, amount });
        const { enabled, solver } = await getConfig(fixture.client, { ...route(), currency: "usdc" });
        return [enabled, solver?.balance, solver?.capacityPerRequest];
      };
      const one = parseUnits("1", 6);
      expect(await configWith(one)).to.deep.equal([true, `${one}`, `${one}`]);
      expect(await configWith(one - 1n)).to.deep.equal([false, `${one - 1n}`, "0"]);
      await fixture.emulator.control.balances.set({ ...holding, amount: before });
    });

    it("a route of an unknown chain, currency or user is rejected", async () => {
      const cases: [Partial<Parameters<typeof getConfig>[1]>, string][] = [
        [{ originChainId: 5 }, "UNSUPPORTED_CHAIN"],
        [{ destinationChainId: 5 }, "UNSUPPORTED_CHAIN"],
        [{ currency: "degen" }, "UNSUPPORTED_CURRENCY"],
        [{ user: "nobody" }, "INVALID_ADDRESS"],
      ];
      for (const [change, errorCode] of cases) {
        const error = await refusalOf(getConfig(fixture.client, { ...route(), ...change }));
        expect([error.status, error.errorCode]).to.deep.equal([400, errorCode]);
      }
      expect((await ask("/config/v2?originChainId=1")).status).to.equal(400);
    });
  });

  describe("the chains", () => {
    // @spec chain/id chain/urls chain/deposit-enabled chain/fees chain/base-chain-id chain/solver-addresses
    // @spec chain/vm-type signature/signer
    it("a chain has every documented field", async () => {
      const { chains } = await getChains(fixture.client);
      for (const [index, { info }] of [fixture.alpha, fixture.beta].entries()) {
        const chain = chains[index];
        expect(chain).to.include({
          baseChainId: info.id,
          blockProductionLagging: false,
          depositEnabled: true,
          depositFee: 0,
          disabled: false,
          httpRpcUrl: info.rpcUrl,
          id: info.id,
          partialDisableLimit: 0,
          surgeEnabled: false,
          vmType: "evm",
          withdrawalFee: 0,
          wsRpcUrl: info.wsRpcUrl,
        });
        // Clients offer gas top-up where it is true.
        expect(chain?.currency).to.include({ address: zeroAddress, id: "eth", supportsBridging: true });
        expect(chain?.solverCurrencies?.map(({ id }) => id)).to.deep.equal(["eth", "usdc"]);
        expect(chain?.erc20Currencies?.map(({ id }) => id)).to.deep.equal(["usdc", "usdt", "weth"]);
        for (const tokens of [chain?.erc20Currencies, chain?.featuredTokens]) {
          const flags = tokens?.map(({ id, supportsBridging }) => [id, supportsBridging]);
          expect(flags).to.deep.equal([
            ["usdc", true],
            ["usdt", false],
            ["weth", false],
          ]);
        }
        expect(chain?.solverAddresses).to.deep.equal([fixture.emulator.info.solver.toLowerCase()]);
        expect(chain?.contracts?.v3).to.deep.equal(info.contracts.v3);
      }
    });

    // @spec endpoints/liquidity
    it("a chain has the solver's liquidity, to the unit", async () => {
      for (const chain of [fixture.alpha, fixture.beta]) {
        const { liquidity } = await getChainLiquidity(fixture.client, { chainId: chain.info.id });
        expect(liquidity.map(({ currencyId }) => currencyId)).to.deep.equal(["eth", "usdc"]);
        for (const { address, balance, symbol } of liquidity) {
          expect(address).to.equal(chain.currency(symbol).toLowerCase());
          expect(BigInt(balance)).to.equal(
            await chain.balanceOf(chain.currency(symbol), fixture.emulator.info.solver),
          );
        }
      }
      const error = await refusalOf(getChainLiquidity(fixture.client, { chainId: 5 }));
      expect([error.status, error.errorCode]).to.deep.equal([400, "UNSUPPORTED_CHAIN"]);
    });

    // @spec endpoints/swap-sources
    it("a chain has swap sources, which quotes accept by name", async () => {
      const { sources } = await getSwapSources(fixture.client, { chainId: fixture.alpha.info.id });
      expect(await getSwapSources(fixture.client)).to.deep.equal({ sources });
      const swap = {
        ...intent(),
        destinationChainId: fixture.alpha.info.id,
        destinationCurrency: fixture.alpha.currency("USDC"),
      };
      expect(
        (await getQuote(fixture.client, { ...swap, includedSwapSources: sources } as GetPriceParameters))
          .steps,
      ).to.have.lengthOf(1);
      const excluded = { ...swap, excludedSwapSources: sources } as GetPriceParameters;
      expect((await refusalOf(getQuote(fixture.client, excluded))).errorCode).to.equal(
        "NO_SWAP_ROUTES_FOUND",
      );
      expect((await refusalOf(getSwapSources(fixture.client, { chainId: 5 }))).errorCode).to.equal(
        "UNSUPPORTED_CHAIN",
      );
    });
  });

  describe("chain health", () => {
    const chainOf = async () =>
      (await getChains(fixture.client)).chains.find(({ id }) => id === fixture.beta.info.id);
    const route = () => ({ destinationChainId: fixture.beta.info.id, originChainId: fixture.alpha.info.id });
    afterEach(() =>
      fixture.emulator.control.chains.setHealth(fixture.beta.info.id, {
        blockProductionLagging: false,
        disabled: false,
        partialDisableLimit: 0,
      }),
    );

    // @spec chain/disabled
    it("a disabled chain is shown as such, has no price, and closes its routes", async () => {
      await fixture.emulator.control.chains.setHealth(fixture.beta.info.id, { disabled: true });
      expect(await chainOf()).to.include({ blockProductionLagging: false, disabled: true });
      expect((await refusalOf(getPrice(fixture.client, intent()))).errorCode).to.equal("CHAIN_DISABLED");
      expect(await getConfig(fixture.client, route())).to.include({ enabled: false, fee: null });
    });

    // @spec chain/lagging chain/partial-disable-limit
    it("a chain that lags or accepts small amounts only is shown as such and stays open", async () => {
      const limits = { blockProductionLagging: true, partialDisableLimit: 4e16 };
      await fixture.emulator.control.chains.setHealth(fixture.beta.info.id, limits);
      expect(await chainOf()).to.include({ ...limits, disabled: false });
      expect((await getConfig(fixture.client, route())).enabled).to.equal(true);
      await getPrice(fixture.client, { ...intent(), amount: parseEther("0.01") });
      expect((await refusalOf(getPrice(fixture.client, intent()))).errorCode).to.equal("CHAIN_DISABLED");
    });
  });
});
