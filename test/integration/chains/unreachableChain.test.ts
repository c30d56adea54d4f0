import { expect } from "chai";
import { zeroAddress } from "viem";
import { deriveAccounts } from "../../../emulator/chains/accounts.ts";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { type MortalRpc, startMortalRpc } from "../../helpers/network/mortalRpc.ts";
import { postJson } from "../../helpers/quotes/bridgeIntent.ts";

describe("a chain whose node does not answer", function () {
  this.timeout(60_000);
  let elsewhere: StartedChains;
  let node: MortalRpc;
  let emulator: Emulator;
  before(async () => {
    elsewhere = await startChains({ chainPorts: [0, 0] });
    const [alpha, beta] = elsewhere.chains;
    node = await startMortalRpc({ rpcUrl: beta?.rpcUrl ?? "" });
    const chains = [
      { id: 31_337, rpcUrl: alpha?.rpcUrl ?? "" },
      { id: 31_338, rpcUrl: node.url },
    ];
    emulator = await startEmulator({ chains, port: 0 });
  });
  after(async () => {
    await emulator?.stop();
    node?.stop();
    await elsewhere?.close();
  });

  const quote = (asked: Readonly<Record<string, unknown>> = {}) =>
    postJson(`${emulator.info.apiUrl}/quote`, {
      amount: 10n ** 18n,
      destinationChainId: 31_338,
      destinationCurrency: zeroAddress,
      originChainId: 31_337,
      originCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: deriveAccounts().users[0]?.account.address,
      ...asked,
    });

  it("a quote to an unreachable chain answers 503 with a code, the chain's name and Retry-After, and 200 once the node is back", async () => {
    expect((await quote()).status).to.equal(200);
    node.lives = 0;
    const answer = await quote();
    const { errorCode, message } = (await answer.json()) as Record<string, string>;
    expect([answer.status, errorCode]).to.deep.equal([503, "RPC_HTTP_ERROR"]);
    expect(message).to.equal("The node of beta (chain 31338) does not answer");
    expect(answer.headers.get("retry-after")).to.equal("1");
    node.lives = Number.POSITIVE_INFINITY;
    expect((await quote()).status).to.equal(200);
  });

  it("a quote whose node fails during the simulated calls answers 503, and never reports failing calls", async () => {
    const to = "0x00000000000000000000000000000000000a11ce";
    const seen = new Set<number>();
    for (let lives = 0; !seen.has(200); lives++) {
      node.lives = lives;
      const answer = await quote({ txs: [{ to, value: "1" }] });
      const body = (await answer.json()) as Record<string, unknown>;
      if (answer.status !== 200) {
        expect([answer.status, body["errorCode"]], `${lives} answers`).to.deep.equal([503, "RPC_HTTP_ERROR"]);
      }
      seen.add(answer.status);
    }
    expect(seen.size).to.equal(2);
    node.lives = Number.POSITIVE_INFINITY;
  });
});
