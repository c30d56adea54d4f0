import { expect } from "chai";
import { type Address, erc20Abi, parseAbi, parseEther, parseUnits, zeroAddress } from "viem";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import { ControlRefusedError } from "../../../emulator/index.ts";
import { getChains } from "../../../src/client/index.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import {
  newcomer,
  pay,
  quoteOf,
  requestIdOf,
  runToEnd,
  waitForStatus,
} from "../../helpers/requests/requestRun.ts";

const routerAbi = parseAbi([
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)",
]);
const factoryAbi = parseAbi([
  "function factory() view returns (address)",
  "function getPair(address, address) view returns (address)",
]);
const hour = 3_600_000;

function supplyOf({ reader }: TestChain, address: Address): Promise<bigint> {
  return reader.readContract({ abi: erc20Abi, address, functionName: "totalSupply" });
}

async function poolsOf({ currency, info, reader }: TestChain): Promise<readonly Address[]> {
  const factory = await reader.readContract({
    abi: factoryAbi,
    address: info.contracts.uniswapV2Router,
    functionName: "factory",
  });
  const pairs = [
    ["USDC", "USDT"],
    ["USDC", "WETH"],
    ["USDT", "WETH"],
  ] as const;
  return Promise.all(
    pairs.map(([one, other]) => {
      const args = [currency(one), currency(other)] as const;
      return reader.readContract({ abi: factoryAbi, address: factory, args, functionName: "getPair" });
    }),
  );
}

describe("clock, prices, balances, health and configuration", () => {
  const fixture = useEmulator();
  beforeEach(() => fixture.emulator.control.reset());

  const control = () => fixture.emulator.control;
  const chainTime = async ({ reader }: TestChain) => Number((await reader.getBlock()).timestamp) * 1_000;
  const errorOf = async (overrides: Parameters<typeof quoteOf>[1]) => {
    const error = await failureOf(quoteOf(fixture, overrides));
    return error instanceof Error && "errorCode" in error ? error.errorCode : error;
  };

  describe("the clock", () => {
    it("the API and both chains share one clock, set or running", async () => {
      const { clock } = control();
      const target = clock.read().now + 30 * 24 * hour;
      await clock.set(target);
      for (const chain of [fixture.alpha, fixture.beta]) {
        expect(await chainTime(chain)).to.be.within(target - 1_000, target + 5_000);
      }
      await clock.advance(hour);
      const quote = await quoteOf(fixture);
      const hash = await pay(fixture, quote);
      const receipt = await fixture.alpha.reader.getTransactionReceipt({ hash });
      const block = await fixture.alpha.reader.getBlock({ blockNumber: receipt.blockNumber });
      expect(Number(block.timestamp) * 1_000).to.be.within(target + hour - 1_000, target + hour + 10_000);
      const { updatedAt } = await waitForStatus(fixture, requestIdOf(quote), ["success"]);
      expect(updatedAt).to.be.within(target + hour, target + hour + 10_000);
    });

    // @spec status/updated-at
    it("a frozen clock stands still, blocks included, and continues from there", async () => {
      const { clock } = control();
      await clock.advance(10_000);
      const { now } = await clock.freeze();
      await new Promise((resolve) => setTimeout(resolve, 1_100));
      const quote = await quoteOf(fixture);
      const { updatedAt } = await runToEnd(fixture, quote);
      expect(clock.read()).to.deep.equal({ isFrozen: true, now });
      expect(updatedAt).to.equal(now);
      for (const chain of [fixture.alpha, fixture.beta]) {
        expect(Math.abs((await chainTime(chain)) - now)).to.be.below(1_100);
      }
      expect(await clock.advance(5_000)).to.deep.equal({ isFrozen: true, now: now + 5_000 });
      await clock.resume();
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(clock.read().isFrozen).to.equal(false);
      expect(clock.read().now).to.be.within(now + 5_001, now + 10_000);
    });
  });

  describe("prices", () => {
    const poolOutput = async (from: string, to: string, amount: bigint) => {
      const { contracts } = fixture.alpha.info;
      const path = [fixture.alpha.currency(from), fixture.alpha.currency(to)];
      const amounts = await fixture.alpha.reader.readContract({
        abi: routerAbi,
        address: contracts.uniswapV2Router,
        args: [amount, path],
        functionName: "getAmountsOut",
      });
      return amounts[1] ?? 0n;
    };

    /** The pool keeps three thousandths of each trade. */
    const near = (value: bigint, wanted: string, decimals: number) => {
      const exact = parseUnits(wanted, decimals);
      expect(Number(value)).to.be.within(Number(exact) * 0.996, Number(exact) * 0.998);
    };

    it("a new price changes the next quote's amounts and dollars", async () => {
      await control().prices.set({ ETH: "4000.5" });
      const { details } = await quoteOf(fixture);
      expect(details.currencyIn?.amountUsd).to.equal("4000.500000");
      expect(control().prices.list()).to.include({ ETH: "4000.5", USDC: "1", WETH: "4000.5" });
      expect(await failureOf(control().prices.set({ DOGE: "1" }))).to.be.instanceOf(ControlRefusedError);
      for (const wrong of ["0", "-1", "1e3", "0.0000000000000000001", ""]) {
        expect(await failureOf(control().prices.set({ ETH: wrong })), wrong).to.be.instanceOf(Error);
      }
      expect(control().prices.list().ETH).to.equal("4000.5");
    });

    it("a price for ETH moves WETH, the pools of every chain and the quotes, and mints for the trader alone", async () => {
      const { alpha, beta, emulator } = fixture;
      const traders = [deriveAccounts().deployer.account.address, ...(await poolsOf(alpha))];
      const holders = [
        emulator.info.solver,
        alpha.wallet(0).account.address,
        alpha.info.contracts.depository,
      ];
      const heldBy = async () =>
        Promise.all(
          ["USDC", "USDT", "WETH"].flatMap((symbol) =>
            holders.map((holder) => alpha.balanceOf(alpha.currency(symbol), holder)),
          ),
        );
      const elsewhere = async (symbol: string) => {
        const token = alpha.currency(symbol);
        const traded = await Promise.all(traders.map((each) => alpha.balanceOf(token, each)));
        return (await supplyOf(alpha, token)) - traded.reduce((sum, each) => sum + each, 0n);
      };
      const before = [
        await heldBy(),
        await elsewhere("USDC"),
        await elsewhere("USDT"),
        await elsewhere("WETH"),
      ];
      expect(await control().prices.set({ ETH: "5000" })).to.include({ ETH: "5000", WETH: "5000" });
      const ether = parseEther("1");
      near(await poolOutput("WETH", "USDC", ether), "5000", 6);
      near(await poolOutput("WETH", "USDT", ether), "5000", 6);
      near(await poolOutput("USDT", "USDC", parseUnits("10", 6)), "10", 6);
      // WETH stays backed by ether, and only traders' balances change.
      const weth = alpha.currency("WETH");
      expect(await alpha.balanceOf(zeroAddress, weth)).to.equal(await supplyOf(alpha, weth));
      const after = [
        await heldBy(),
        await elsewhere("USDC"),
        await elsewhere("USDT"),
        await elsewhere("WETH"),
      ];
      expect(after).to.deep.equal(before);
      const quote = await quoteOf(fixture, { destinationCurrency: beta.currency("USDT") });
      near(BigInt(quote.details.currencyOut?.amount ?? 0), "5000", 6);
      expect(Math.abs(Number(quote.details.swapImpact?.percent))).to.be.below(1);
      expect((await runToEnd(fixture, quote)).status).to.equal("success");
      await control().prices.set({ WETH: "2500" });
      near(await poolOutput("WETH", "USDC", ether), "2500", 6);
      expect(control().prices.list()).to.include({ ETH: "2500", WETH: "2500" });
      expect(await failureOf(control().prices.set({ ETH: "1", WETH: "2" }))).to.match(/have one price/);
    });

    it("a price with movePools false keeps the pools' prices until repegPools", async () => {
      const ether = parseEther("1");
      const before = await poolOutput("WETH", "USDC", ether);
      await control().prices.set({ ETH: "1250", USDT: "0.5", WETH: "1250" }, { movePools: false });
      expect(await poolOutput("WETH", "USDC", ether)).to.equal(before);
      const trades = await control().prices.repegPools(fixture.alpha.info.id);
      expect(new Set(trades.map(({ chainId }) => chainId))).to.deep.equal(new Set([fixture.alpha.info.id]));
      near(await poolOutput("WETH", "USDC", ether), "1250", 6);
      near(await poolOutput("WETH", "USDT", ether), "2500", 6);
      near(await poolOutput("USDT", "USDC", parseUnits("10", 6)), "5", 6);
      expect(await control().prices.repegPools(fixture.alpha.info.id)).to.have.length(0);
      expect(await control().prices.repegPools()).to.have.length.greaterThan(0);
    });
  });

  describe("balances", () => {
    it("a balance can be set for any account, native and token, up and down, and be spent", async () => {
      const { alpha, emulator } = fixture;
      const chainId = alpha.info.id;
      const user = alpha.wallet(2).account.address;
      for (const symbol of ["ETH", "USDC", "USDT", "WETH"]) {
        const currency = alpha.currency(symbol);
        for (const account of [newcomer, user, emulator.info.solver] as const) {
          for (const amount of [parseUnits("123456.5", 6), 1n, 0n, 10n ** 24n]) {
            await control().balances.set({ account, amount, chainId, currency });
            expect(await alpha.balanceOf(currency, account), `${symbol} of ${account}`).to.equal(amount);
            expect(await control().balances.get({ account, chainId, currency })).to.equal(amount);
          }
        }
      }
      const all = await alpha.balanceOf(alpha.currency("WETH"), user);
      const hash = await alpha.wallet(2).writeContract({
        abi: parseAbi(["function withdraw(uint256)"]),
        address: alpha.currency("WETH"),
        args: [all],
        functionName: "withdraw",
      });
      expect((await alpha.reader.waitForTransactionReceipt({ hash })).status).to.equal("success");
    });
  });

  describe("health of a chain", () => {
    // @spec chain/disabled chain/lagging
    it("chains report the set health, and a disabled chain gives no quote", async () => {
      const { id } = fixture.beta.info;
      await control().chains.setHealth(id, { blockProductionLagging: true });
      await quoteOf(fixture);
      await control().chains.setHealth(id, { disabled: true });
      const { chains } = await getChains(fixture.client);
      const told = chains.map(({ blockProductionLagging, disabled }) => [blockProductionLagging, disabled]);
      expect(told).to.deep.equal([
        [false, false],
        [true, true],
      ]);
      expect(await errorOf({})).to.equal("CHAIN_DISABLED");
      const back = { destinationChainId: fixture.alpha.info.id, originChainId: id };
      expect(await errorOf(back)).to.equal("CHAIN_DISABLED");
      await control().chains.setHealth(id, { disabled: false });
      await quoteOf(fixture);
    });

    it("a chain that rejects large requests quotes small ones", async () => {
      const { id } = fixture.alpha.info;
      await control().chains.setHealth(id, { partialDisableLimit: 1e18 });
      await quoteOf(fixture);
      expect(await errorOf({ amount: parseEther("1") + 1n })).to.equal("CHAIN_DISABLED");
      const { chains } = await getChains(fixture.client);
      expect(chains.map(({ partialDisableLimit }) => partialDisableLimit)).to.deep.equal([1e18, 0]);
      // The limit applies to the value: an ether is 2,500 dollars.
      const usdc = { originCurrency: fixture.alpha.currency("USDC") };
      await quoteOf(fixture, { ...usdc, amount: parseUnits("2500", 6) });
      expect(await errorOf({ ...usdc, amount: parseUnits("2500", 6) + 1n })).to.equal("CHAIN_DISABLED");
    });
  });

  describe("configuration", () => {
    it("a changed configuration changes the solver's capacity, which external liquidity lifts", async () => {
      await control().config.set({ capacityPerRequest: "100" });
      expect(await errorOf({})).to.be.a("string");
      await quoteOf(fixture, { useExternalLiquidity: true });
      await control().config.set({ capacityPerRequest: "2600" });
      await quoteOf(fixture);
    });

    it("a partial configuration keeps the other fields, and an invalid value is rejected", async () => {
      await control().config.set({ routerVersion: "v2.1" });
      expect(await control().config.set({ rateLimits: true })).to.include({
        rateLimits: true,
        routerVersion: "v2.1",
      });
      expect(await failureOf(control().config.set({ routerVersion: "v9" as "v3" }))).to.be.instanceOf(Error);
      expect(control().config.get().routerVersion).to.equal("v2.1");
    });
  });

  // @spec auth/requests-v3 auth/header
  it("new keys work at once, and revoked keys fail at once", async () => {
    const { keys } = control();
    const { id, key } = await keys.create({ isElevated: true, name: "shop" });
    const call = async () =>
      (await fetch(`${fixture.emulator.info.apiUrl}/chains`, { headers: { "x-api-key": key } })).status;
    expect(await call()).to.equal(200);
    expect(JSON.stringify(keys.list())).to.include(id).and.not.include(key);
    expect(await keys.revoke(id)).to.equal(true);
    expect(await call()).to.equal(401);
    expect(await keys.revoke(id)).to.equal(false);
  });
});
