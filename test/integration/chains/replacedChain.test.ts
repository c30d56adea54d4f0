import { expect } from "chai";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { deposit, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";
import { type BrokenNodesFixture, startBrokenNodes } from "./brokenNodes.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("an emulator whose node changes to another chain at runtime", function () {
  this.timeout(60_000);
  let fixture: BrokenNodesFixture;
  let other: StartedChains;
  const lines: LogEntry[] = [];
  before(async () => {
    fixture = await startBrokenNodes({ log: (entry) => lines.push(entry), timeoutMs: 2_000 });
    // Ids begin with 31337, so its second chain has beta's id. Local chains that start in the same second have the same first
    // block; an hour apart, they differ.
    other = await startChains({ chainPorts: [0, 0], now: Date.now() - 3_600_000 });
  });
  after(async () => {
    await fixture?.stop();
    await other?.close();
  });

  const quote = () => postJson(`${fixture.emulator.info.apiUrl}/quote/v2`, bridgeIntent(fixture));

  it("a replaced chain: quotes answer 503 CHAIN_REPLACED with its name, the log has one line, and requests keep their state", async () => {
    const [, node] = fixture.nodes;
    const filled = await quoteOf(fixture);
    await deposit(fixture, orderIdOf(filled));
    await reached(fixture.emulator, idOf(filled), "success");
    const waiting = await quoteOf(fixture);
    const upstream = node.upstream;
    node.upstream = other.chains[1]?.rpcUrl ?? "";
    lines.length = 0;
    const message = "The node of beta (chain 31338) is one of another chain now";
    const answer = await until(async () => {
      const asked = await quote();
      return asked.status === 503 ? asked : undefined;
    }, "the other chain to be noticed");
    expect(await answer.json()).to.deep.equal({ errorCode: "CHAIN_REPLACED", message });
    expect(answer.headers.get("retry-after")).to.equal("1");
    // A deposit made meanwhile waits.
    await deposit(fixture, orderIdOf(waiting));
    await pause(3_000);
    const errors = lines.filter(({ level }) => level === "error");
    expect(errors).to.have.length(1);
    expect(errors[0]?.message).to.match(
      /^The node of beta \(chain 31338\) is one of another chain now \(found: chain/,
    );
    expect((await historyOf(fixture.emulator, idOf(filled))).status).to.equal("success");
    node.upstream = upstream;
    await reached(fixture.emulator, idOf(waiting), "success");
    expect((await quote()).status).to.equal(200);
  });
});
