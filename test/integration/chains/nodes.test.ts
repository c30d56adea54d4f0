import { expect } from "chai";
import { zeroAddress } from "viem";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import { type Emulator, type StartEmulatorParameters, startEmulator } from "../../../emulator/index.ts";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import { createClient } from "../../../src/client/index.ts";
import type { BaseError } from "../../../src/errors/BaseError.ts";
import { type EmulatorFixture, type TestChain, testChain } from "../../helpers/emulatorFixture.ts";
import { type MortalRpc, type RpcFault, startMortalRpc } from "../../helpers/network/mortalRpc.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { deposit, ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";
import { drawsOf } from "../../helpers/seededDraws.ts";

/** An emulator that reaches its chains through nodes with configurable faults; the fixture's own connections work. */
type BrokenNodesFixture = EmulatorFixture & {
  readonly nodes: readonly [MortalRpc, MortalRpc, ...MortalRpc[]];
  /** All chains, in the order of `nodes`. */
  readonly chains: readonly TestChain[];
};

/** @param timeoutMs Time limit of the emulator for an answer of a node. */
async function startBrokenNodes({
  chainCount = 2,
  timeoutMs,
  ...parameters
}: Pick<StartEmulatorParameters, "chainCount" | "log" | "now"> & {
  timeoutMs: number;
}): Promise<BrokenNodesFixture> {
  const elsewhere: StartedChains = await startChains({
    chainCount,
    chainPorts: Array.from({ length: chainCount }, () => 0),
  });
  const [first, second, ...others] = await Promise.all(
    elsewhere.chains.map((chain) => startMortalRpc(chain)),
  );
  if (first === undefined || second === undefined) throw new Error("too few chains");
  const nodes = [first, second, ...others] as const;
  const connected = elsewhere.chains.map(({ definition: { id } }, index) => ({
    id,
    rpcUrl: nodes[index]?.url ?? "",
    timeoutMs,
  }));
  const emulator: Emulator = await startEmulator({ ...parameters, chains: connected, port: 0 });
  const chains = emulator.info.chains.map((info, index) =>
    testChain({ ...info, rpcUrl: elsewhere.chains[index]?.rpcUrl ?? "" }),
  );
  const [alpha, beta] = chains;
  if (alpha === undefined || beta === undefined) throw new Error("too few chains");
  return {
    alpha,
    beta,
    chains,
    client: createClient({ baseUrl: emulator.info.apiUrl, retry: { count: 0 }, sleep: quickSleep }),
    emulator,
    nodes,
    stop: async () => {
      for (const node of nodes) node.fault = undefined;
      await emulator.stop();
      for (const node of nodes) node.stop();
      await elsewhere.close();
    },
  };
}

/** Longer than the tests' wait for a fill: a round that waits for the node would be too late. */
const timeoutMs = 6_000;
const fillMs = 4_000;
const orderLifetimeMs = 7 * 24 * 3_600_000;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("a solver of three chains over nodes that fail", function () {
  this.timeout(90_000);
  let fixture: BrokenNodesFixture;
  let offset = 0;
  const lines: LogEntry[] = [];
  const part = <Part>(parts: readonly Part[], index: number): Part => {
    const found = parts[index];
    if (found === undefined) throw new Error(`there is no part ${index}`);
    return found;
  };
  const gamma = () => part(fixture.chains, 2);
  const breakGamma = (fault: RpcFault | undefined) => {
    part(fixture.nodes, 2).fault = fault && (() => fault);
  };
  before(async () => {
    fixture = await startBrokenNodes({
      chainCount: 3,
      log: (entry) => lines.push(entry),
      now: () => Date.now() + offset,
      timeoutMs,
    });
  });
  beforeEach(() => {
    for (const node of fixture.nodes) node.fault = undefined;
    lines.length = 0;
  });
  after(() => fixture?.stop());

  const paidFrom = async (chain: TestChain, quote: Awaited<ReturnType<typeof quoteOf>>) => {
    await deposit(fixture, orderIdOf(quote), ether, { chain });
    return idOf(quote);
  };
  const bridge = (from: TestChain, to: TestChain, recipient = fresh()) =>
    quoteOf(fixture, {
      destinationChainId: to.info.id,
      originChainId: from.info.id,
      recipient,
      user: from.wallet(0).account.address,
    });
  const within = async (ms: number, work: Promise<unknown>) => {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
    });
    await Promise.race([work, late]).finally(() => clearTimeout(timer));
  };
  const aboutGamma = () =>
    lines.filter(({ message }) => message.includes("gamma") && !/repeated/.test(message));
  const ask = (overrides: Partial<Parameters<typeof bridgeIntent>[1]> = {}) =>
    postJson(`${fixture.emulator.info.apiUrl}/quote/v2`, bridgeIntent(fixture, overrides));

  for (const fault of ["drop", "hang"] as const) {
    it(`fills between two chains while a third node answers with: ${fault}`, async () => {
      const { alpha, beta, emulator } = fixture;
      const quotes = [await bridge(alpha, beta), await bridge(beta, alpha)];
      breakGamma(fault);
      const ids = [await paidFrom(alpha, part(quotes, 0)), await paidFrom(beta, part(quotes, 1))];
      await within(fillMs, Promise.all(ids.map((id) => reached(emulator, id, "success"))));
      if (fault === "hang") return;
      expect(aboutGamma()).to.have.length(1);
      expect(lines.filter(({ level }) => level === "error")).to.deep.equal(aboutGamma());
    });
  }

  it("a destination whose node hangs: records the deposit, and fills it once when the node is back", async () => {
    const { alpha, emulator } = fixture;
    const recipients = Array.from({ length: 3 }, fresh);
    const quotes = await Promise.all(recipients.map((recipient) => bridge(alpha, gamma(), recipient)));
    breakGamma("hang");
    for (const quote of quotes) await paidFrom(alpha, quote);
    for (const quote of quotes) await within(fillMs, reached(emulator, idOf(quote), "pending"));
    breakGamma(undefined);
    for (const [index, quote] of quotes.entries()) {
      const { deposits, transactions } = await reached(emulator, idOf(quote), "success");
      expect([deposits.length, transactions.length]).to.deep.equal([1, 1]);
      const received = await gamma().balanceOf(zeroAddress, part(recipients, index));
      expect(received).to.equal(BigInt(quote.details.currencyOut?.amount ?? 0));
    }
  });

  it("a quote to an unreachable chain answers 503 with a code, the chain's name and Retry-After, and 200 once the node is back", async () => {
    const [, node] = fixture.nodes;
    expect((await ask()).status).to.equal(200);
    node.lives = 0;
    const answer = await ask();
    expect(await answer.json()).to.deep.equal({
      errorCode: "RPC_HTTP_ERROR",
      message: "The node of beta (chain 31338) does not answer",
    });
    expect([answer.status, answer.headers.get("retry-after")]).to.deep.equal([503, "1"]);
    node.lives = Number.POSITIVE_INFINITY;
    expect((await ask()).status).to.equal(200);
  });

  it("a quote whose node fails during the simulated calls answers 503, and never reports failing calls", async () => {
    const [, node] = fixture.nodes;
    const txs = [{ to: "0x00000000000000000000000000000000000a11ce", value: 1n }] as const;
    const seen = new Set<number>();
    for (let lives = 0; !seen.has(200); lives++) {
      node.lives = lives;
      const answer = await ask({ txs });
      const body = (await answer.json()) as Record<string, unknown>;
      if (answer.status !== 200) {
        expect([answer.status, body["errorCode"]], `${lives} answers`).to.deep.equal([503, "RPC_HTTP_ERROR"]);
      }
      seen.add(answer.status);
    }
    expect(seen.size).to.equal(2);
    node.lives = Number.POSITIVE_INFINITY;
  });

  it("a replaced chain: the log has one line, requests keep their state, and the solver goes on when the chain is back", async () => {
    const [, node] = fixture.nodes;
    // Ids begin with 31337, so its second chain has beta's id. Local chains that start in the same second have the same first
    // block; an hour apart, they differ.
    const other = await startChains({ chainPorts: [0, 0], now: Date.now() - 3_600_000 });
    const [filled, waiting] = [await quoteOf(fixture), await quoteOf(fixture)];
    await deposit(fixture, orderIdOf(filled));
    await reached(fixture.emulator, idOf(filled), "success");
    const upstream = node.upstream;
    lines.length = 0;
    node.upstream = other.chains[1]?.rpcUrl ?? "";
    const errors = () => lines.filter(({ level }) => level === "error");
    await until(async () => errors().at(0), "the other chain to be noticed");
    await deposit(fixture, orderIdOf(waiting));
    await pause(1_500);
    expect(errors().map(({ cause }) => (cause as BaseError).shortMessage)).to.deep.equal([
      "The node of beta (chain 31338) is one of another chain now",
    ]);
    expect((await historyOf(fixture.emulator, idOf(filled))).status).to.equal("success");
    node.upstream = upstream;
    await reached(fixture.emulator, idOf(waiting), "success");
    expect((await ask()).status).to.equal(200);
    await other.close();
  });

  it("a chain whose blocks arrive later than each round: fills its payment once", async () => {
    const { alpha, emulator } = fixture;
    const quote = await bridge(gamma(), alpha);
    part(fixture.nodes, 2).fault = ({ method }) =>
      method === "eth_getBlockByNumber" ? { delayMs: 1_200 } : undefined;
    const { transactions } = await reached(emulator, await paidFrom(gamma(), quote), "success");
    expect(transactions).to.have.length(1);
    const back = await bridge(alpha, gamma());
    const filled = await reached(emulator, await paidFrom(alpha, back), "success");
    expect(filled.transactions).to.have.length(1);
  });

  it("a node whose logs lag behind its blocks, as behind a load balancer: fills the payment once they are there", async () => {
    const { alpha, emulator } = fixture;
    const quote = await bridge(gamma(), alpha);
    // A node answers a range beyond its last block without logs, and a block that it does not know with an error.
    part(fixture.nodes, 2).answer = ({ method, params: [filter] }) => {
      if (method !== "eth_getLogs") return undefined;
      return "blockHash" in (filter as object)
        ? { error: { code: -32_000, message: "unknown block" } }
        : { result: [] };
    };
    const id = await paidFrom(gamma(), quote);
    await pause(1_500);
    expect((await historyOf(emulator, id)).status).to.equal("waiting");
    part(fixture.nodes, 2).answer = undefined;
    expect((await reached(emulator, id, "success")).transactions).to.have.length(1);
  });

  it("an expired order whose destination hangs: refunds the deposit on its origin", async () => {
    const { alpha, emulator } = fixture;
    const quote = await bridge(alpha, gamma());
    breakGamma("hang");
    const id = await paidFrom(alpha, quote);
    await within(fillMs, reached(emulator, id, "pending"));
    offset = orderLifetimeMs + 1_000;
    await within(fillMs, reached(emulator, id, "refund"));
    const { failReason, transactions } = await historyOf(emulator, id);
    expect(failReason).to.equal("PROTOCOL_DEADLINE_EXPIRED");
    expect(transactions.map(({ kind, state }) => [kind, state])).to.deep.equal([["refund", "mined"]]);
  });

  it("a stop while a node hangs: ends within the time limit of one call and its repetition", async () => {
    breakGamma("hang");
    await pause(500);
    await within(2 * timeoutMs + fillMs, fixture.emulator.stop());
  });
});

describe("an emulator over nodes with occasional failures", function () {
  this.timeout(120_000);
  const kinds: readonly RpcFault[] = ["hang", "drop", "html", "truncate", { delayMs: 100 }];
  let fixture: BrokenNodesFixture;
  before(async () => {
    fixture = await startBrokenNodes({ timeoutMs: 1_000 });
  });
  after(() => fixture?.stop());

  it("a third of all calls hanging, dropped, cut, late or answered with a page: fills each paid intent once", async () => {
    const recipients = Array.from({ length: 5 }, fresh);
    const quotes = await Promise.all(recipients.map((recipient) => quoteOf(fixture, { recipient })));
    const draws = drawsOf("nodes");
    for (const node of fixture.nodes) node.fault = () => (draws.chance(0.3) ? draws.pick(kinds) : undefined);
    for (const quote of quotes) await deposit(fixture, orderIdOf(quote));
    for (const [index, quote] of quotes.entries()) {
      const { status, transactions } = await until(
        async () => {
          const history = await historyOf(fixture.emulator, idOf(quote));
          return ["success", "refund", "failure"].includes(history.status) ? history : undefined;
        },
        `${idOf(quote)} to end`,
        60_000,
      );
      expect([status, transactions.length]).to.deep.equal(["success", 1]);
      const received = await fixture.beta.balanceOf(zeroAddress, recipients[index] ?? zeroAddress);
      expect(received).to.equal(BigInt(quote.details.currencyOut?.amount ?? 0));
    }
  });
});
