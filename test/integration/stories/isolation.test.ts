import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import { ControlRefusedError } from "../../../emulator/errors/refusals.ts";
import { startChains, startEmulator } from "../../../emulator/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { deposit, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { outputOf } from "../../helpers/requests/reorgStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

/** Scenarios that change what other requests depend on. */
const invasive = [
  "failure/deposit-reorged",
  "failure/gasless-permit-balance-too-low",
  "quote-error/chain-disabled",
  "quote-error/no-quotes",
  "refund/fluid-dex-error",
  "refund/order-expired",
  "refund/protocol-deadline-expired",
  "refund/slippage",
  "refund/solver-balance-too-low",
  "refund/solver-capacity-exceeded",
];

describe("isolation of scenarios", () => {
  const fixture = useEmulator();
  const scenarios = () => fixture.emulator.scenarios;
  const control = () => fixture.emulator.control;

  /** Reserves of a chain's pools, as the pools tell them. */
  const reservesOf = async ({ currency, info, reader }: TestChain) => {
    const view = (name: string, inputs: readonly { type: string }[], outputs: readonly { type: string }[]) =>
      [{ inputs, name, outputs, stateMutability: "view", type: "function" }] as const;
    const address = { type: "address" };
    const factory = (await reader.readContract({
      abi: view("factory", [], [address]),
      address: info.contracts.uniswapV2Router,
      functionName: "factory",
    })) as Address;
    const pairs: Address[] = [];
    for (const tokens of [
      ["USDC", "USDT"],
      ["USDC", "WETH"],
    ] as const) {
      pairs.push(
        (await reader.readContract({
          abi: view("getPair", [address, address], [address]),
          address: factory,
          args: tokens.map((symbol) => currency(symbol)),
          functionName: "getPair",
        })) as Address,
      );
    }
    const reserves = pairs.map((pair) =>
      reader.readContract({
        abi: view("getReserves", [], [{ type: "uint112" }, { type: "uint112" }]),
        address: pair,
        functionName: "getReserves",
      }),
    );
    return Promise.all(reserves);
  };
  const stateOf = async () => {
    const { clock, config, faults, prices } = control();
    const { isFrozen, now } = clock.read();
    return {
      config: config.get(),
      faults: faults.list(),
      isFrozen,
      isOnTime: Math.abs(now - Date.now()) < 1_000,
      pools: [await reservesOf(fixture.alpha), await reservesOf(fixture.beta)],
      prices: prices.list(),
    };
  };

  /** The solver's holdings: whole USDC and ether of both chains. */
  const holdingsOf = async () => {
    const { solver } = fixture.emulator.info;
    const held = [fixture.alpha, fixture.beta].flatMap(({ balanceOf, currency }) => [
      balanceOf(currency("USDC"), solver).then((units) => Number(units / 10n ** 6n)),
      balanceOf(zeroAddress, solver).then((wei) => Number(wei / 10n ** 18n)),
    ]);
    return Promise.all(held);
  };

  it("every scenario: clock, prices, pools, solver, faults and configuration are as before", async () => {
    const before = await stateOf();
    const held = await holdingsOf();
    for (const name of invasive) {
      await scenarios().run(name);
      expect(await stateOf(), name).to.deep.equal(before);
    }
    // All payments together are worth less.
    for (const [index, now] of (await holdingsOf()).entries())
      expect(now).to.be.closeTo(held[index] ?? 0, 500);
  });

  it("an aborted run: rejects with the reason, and its changes are undone", async () => {
    const before = await stateOf();
    for (const name of ["refund/slippage", "refund/solver-balance-too-low"]) {
      const abort = new AbortController();
      const run = scenarios().run(name, { signal: abort.signal });
      setTimeout(() => abort.abort(new Error("enough")), 5);
      expect((await failureOf(run)) as Error).to.include({ message: "enough" });
      expect(await stateOf(), name).to.deep.equal(before);
    }
    await scenarios().run("success/bridge");
  });

  it("a fault for any request: a scenario neither meets it nor uses it up", async () => {
    const { faults } = control();
    const beta = fixture.beta.info.id;
    await faults.add({ failReason: "NO_QUOTES", kind: "fill-fails" });
    await faults.add({ errorCode: "FORBIDDEN", kind: "quote-refused" });
    await faults.add({ destinationChainId: beta, kind: "solver-broke" });
    await faults.add({ kind: "route-limited", path: "/*" });
    const result = await scenarios().run("success/bridge");
    expect(result).to.include({ status: "success" });
    expect(faults.list().map(({ fired }) => fired)).to.deep.equal([0, 0, 0, 0]);
    await faults.clear();
    await faults.add({ failReason: "NO_QUOTES", kind: "fill-fails", referrer: "scenario:success/bridge" });
    const refused = (await failureOf(scenarios().run("success/bridge"))) as Error;
    expect(refused).to.be.instanceOf(ControlRefusedError);
    expect(refused.message).to.match(/came out differently: refund, NO_QUOTES/);
  });

  it("requests during scenarios: are all filled as quoted", async () => {
    const runs = Promise.all(
      invasive.filter((name) => !name.includes("reorged")).map((name) => scenarios().run(name)),
    );
    const { beta } = fixture;
    for (const symbol of ["ETH", "USDC", "USDT", "ETH", "USDT", "USDC"]) {
      const currency = symbol === "ETH" ? zeroAddress : beta.currency(symbol);
      const quote = await quoteOf(fixture, { destinationCurrency: currency });
      await deposit(fixture, orderIdOf(quote));
      const { status } = await reached(fixture.emulator, idOf(quote), "success", "refund", "failure");
      expect(status, symbol).to.equal("success");
      const got = await beta.balanceOf(currency, quote.details.recipient as Address);
      const ratio = Number(got) / Number(outputOf(quote));
      expect(Math.abs(ratio - 1) <= 0.02, `${symbol}: ${ratio}`).to.equal(true);
    }
    await runs;
  });

  it("an unknown name: is refused", async () => {
    const refused = (await failureOf(scenarios().run("failure/slipage"))) as Error;
    expect(refused).to.be.instanceOf(InvalidParameterError);
    expect(refused.message).to.match(/no scenario "failure\/slipage"/);
  });

  it("a run for another API key: the request belongs to that key", async () => {
    const key = await control().keys.create({ name: "second" });
    const result = await scenarios().run("success/bridge", { apiKeyId: key.id });
    if (result.kind !== "request") throw new Error("no request");
    const { apiUrl } = fixture.emulator.info;
    const answer = await fetch(`${apiUrl}/requests/v3?apiKey=${key.key}&id=${result.requestId}`, {
      headers: { "x-api-key": key.key },
    });
    const { requests } = (await answer.json()) as { requests: readonly { id: string }[] };
    expect(requests.map(({ id }) => id)).to.deep.equal([result.requestId]);
    const refused = (await failureOf(scenarios().run("success/bridge", { apiKeyId: "none" }))) as Error;
    expect(refused).to.be.instanceOf(ControlRefusedError);
  });

  it("chains that run elsewhere: every scenario runs but the reorg", async () => {
    const { chains, close } = await startChains({ chainPorts: [0, 0] });
    const emulator = await startEmulator({
      chains: chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl })),
      port: 0,
    });
    try {
      for (const name of invasive) {
        if (!name.endsWith("/deposit-reorged")) await emulator.scenarios.run(name);
      }
      const refused = (await failureOf(emulator.scenarios.run("failure/deposit-reorged"))) as Error;
      expect(refused.message).to.match(/runs elsewhere/);
    } finally {
      await emulator.stop();
      await close();
    }
  });
});
