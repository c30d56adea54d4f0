import { expect } from "chai";
import { type Address, zeroAddress } from "viem";
import type { LogEntry } from "../../../emulator/log/LogEntry.ts";
import type { RpcFault } from "../../helpers/network/mortalRpc.ts";
import { bridgeIntent, postJson } from "../../helpers/quotes/bridgeIntent.ts";
import { deposit, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, until } from "../../helpers/requests/requestHistory.ts";
import { drawsOf } from "../../helpers/seededDraws.ts";
import { type BrokenNodesFixture, startBrokenNodes } from "./brokenNodes.ts";

const timeoutMs = 300;
const intents = 8;
const kinds: readonly RpcFault[] = ["hang", "drop", "html", "truncate", { delayMs: timeoutMs / 3 }];

describe("an emulator over nodes with occasional failures", function () {
  this.timeout(120_000);
  let fixture: BrokenNodesFixture;
  const lines: LogEntry[] = [];
  before(async () => {
    fixture = await startBrokenNodes({ log: (entry) => lines.push(entry), timeoutMs });
  });
  afterEach(() => {
    for (const node of fixture.nodes) node.fault = undefined;
  });
  after(() => fixture?.stop());

  const failing = (share: number, faults: readonly RpcFault[], seed: string) => {
    const draws = drawsOf(seed);
    for (const node of fixture.nodes) {
      node.fault = () => (draws.chance(share) ? draws.pick(faults) : undefined);
    }
  };
  const endOf = (requestId: `0x${string}`) =>
    until(
      async () => {
        const history = await historyOf(fixture.emulator, requestId);
        return ["success", "refund", "failure"].includes(history.status) ? history : undefined;
      },
      `${requestId} to end`,
      60_000,
    );

  for (const [share, faults, name] of [
    [0.1, ["hang"], "a tenth of all calls hanging, transactions included"],
    [0.3, kinds, "a third of all calls hanging, dropped, cut, late or answered with a page"],
  ] as const) {
    it(`${name}: fills each paid intent once`, async () => {
      const recipients = Array.from({ length: intents }, fresh);
      const quotes = await Promise.all(recipients.map((recipient) => quoteOf(fixture, { recipient })));
      failing(share, faults, name);
      for (const quote of quotes) await deposit(fixture, orderIdOf(quote));
      for (const [index, quote] of quotes.entries()) {
        const { status, transactions } = await endOf(idOf(quote));
        expect(status).to.equal("success");
        expect(transactions).to.have.length(1);
        const received = await fixture.beta.balanceOf(zeroAddress, recipients[index] ?? zeroAddress);
        expect(received).to.equal(BigInt(quote.details.currencyOut?.amount ?? 0));
      }
    });
  }

  const quote = async (destinationCurrency: Address) => {
    const intent = bridgeIntent(fixture, { destinationCurrency });
    const answer = await postJson(`${fixture.emulator.info.apiUrl}/quote/v2`, intent);
    const { errorCode, message } = (await answer.json()) as Record<string, string>;
    return { errorCode, message, status: answer.status };
  };

  it("gas estimates without an answer: the quote returns 503, and never reports a reverted fill", async () => {
    for (const node of fixture.nodes) {
      node.fault = ({ method }) => (method === "eth_estimateGas" ? "drop" : undefined);
    }
    expect(await quote(fixture.beta.currency("USDT"))).to.deep.equal({
      errorCode: "RPC_HTTP_ERROR",
      message: "The node of beta (chain 31338) does not answer",
      status: 503,
    });
  });

  it("every second call failing: quotes answer 200, or 503 with RPC_HTTP_ERROR and the chain's name", async () => {
    failing(0.5, kinds, "quotes");
    const usdc = fixture.beta.currency("USDC");
    const failed = [];
    for (let count = 0; count < 15; count++) {
      const answer = await quote(usdc);
      if (answer.status !== 200) failed.push(answer);
    }
    expect(failed).to.not.deep.equal([]);
    for (const { errorCode, message, status } of failed) {
      expect([status, errorCode]).to.deep.equal([503, "RPC_HTTP_ERROR"]);
      expect(message).to.match(/^The node of (alpha \(chain 31337\)|beta \(chain 31338\)) does not answer$/);
    }
  });
});
