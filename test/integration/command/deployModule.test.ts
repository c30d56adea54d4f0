import { expect } from "chai";
import { createPublicClient, http } from "viem";
import { deployModule } from "../../../cli/deployments/deployModule.ts";
import { type Deployment, planDeployment } from "../../../cli/deployments/planDeployment.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";

const proxy: Deployment = { contract: "BalanceProxy", parameters: {} };

describe("deployModule", function () {
  this.timeout(30_000);
  const fixture = useEmulator();
  const proxies: AlteringProxy[] = [];
  let start: unknown;
  before("the factory", () => planned());
  beforeEach("a chain without the contract", async () => {
    start = await askNode(fixture.alpha, "evm_snapshot");
  });
  afterEach(() => askNode(fixture.alpha, "evm_revert", start));
  after(() => {
    for (const each of proxies) each.stop();
  });

  const planned = (deployment = proxy) =>
    planDeployment(fixture.alpha.reader, { chainId: 31_337, ...deployment });
  const nonce = () =>
    fixture.alpha.reader.getTransactionCount({ address: fixture.alpha.wallet(0).account.address });
  const payerOf = (index = 0, url = fixture.alpha.info.rpcUrl) => ({
    account: fixture.alpha.wallet(index).account,
    onSent: (_: string) => {},
    parameters: {},
    signal: new AbortController().signal,
    url,
  });
  /** Client and payer at a node whose answers to some methods are others. */
  async function nodeWith(answers: Readonly<Record<string, (answer: object) => object>>) {
    const altering = await startAlteringProxy({
      alter: (answer, _, body) => answers[JSON.parse(body).method]?.(answer as object) ?? answer,
      target: fixture.alpha.info.rpcUrl,
    });
    proxies.push(altering);
    const client = createPublicClient({ cacheTime: 0, transport: http(altering.url, { retryCount: 0 }) });
    return { client, payer: payerOf(0, altering.url) };
  }

  it("two runs with one key at once: one transaction is mined", async () => {
    const before = await nonce();
    const plan = await planned();
    // Each run has a client of its own, as processes do.
    const runs = await Promise.all([nodeWith({}), nodeWith({})]);
    const results = await Promise.allSettled(
      runs.map(({ client, payer }) => deployModule(client, plan, payer)),
    );
    expect(results.some(({ status }) => status === "fulfilled")).to.equal(true);
    expect(await nonce()).to.equal(before + 1);
  });

  it("a node that takes the transaction and answers with an error: the next run sends nothing", async () => {
    const before = await nonce();
    const error = { code: -32000, message: "upstream timed out" };
    const { client, payer } = await nodeWith({
      eth_sendRawTransaction: ({ result: _, ...answer }: { result?: unknown }) => ({ ...answer, error }),
    });
    const failure = await failureOf(deployModule(client, await planned(), payer));
    expect(failure).to.include({ code: "DEPLOYMENT_FAILED" });
    expect(String(failure)).to.include("upstream timed out").and.not.include(payer.url);
    expect((await planned()).standing?.differences).to.deep.equal([]);
    expect(await nonce()).to.equal(before + 1);
  });

  it("a node that raises its fees after the plan: the transaction offers what was shown", async () => {
    const plan = await planned();
    const dear = `0x${(10n ** 15n).toString(16)}`;
    const { client, payer } = await nodeWith({
      eth_gasPrice: (answer) => ({ ...answer, result: dear }),
      eth_getBlockByNumber: (answer: { result?: object }) => ({
        ...answer,
        result: { ...answer.result, baseFeePerGas: dear },
      }),
      eth_maxPriorityFeePerGas: (answer) => ({ ...answer, result: dear }),
    });
    const { hash } = await deployModule(client, plan, payer);
    const sent = await fixture.alpha.reader.getTransaction({ hash });
    const { fees, gasLimit } = plan.transaction ?? {};
    expect(sent).to.include({ ...fees, gas: gasLimit });
  });
});
