import { expect } from "chai";
import { type Address, createPublicClient, http } from "viem";
import { deployModule } from "../../../cli/deployments/deployModule.ts";
import { type Deployment, planDeployment } from "../../../cli/deployments/planDeployment.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode, mine, withoutAutomine } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";

const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const refundPayee: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const proxy: Deployment = { contract: "BalanceProxy", parameters: {} };
const receiver: Deployment = {
  contract: "PinnedReceiver",
  parameters: { PinnedReceiver: { binding: 0, nativePayee: solver, refundPayee, solver } },
};

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

  it("a contract that another sender deployed since the plan: refuses, and sends nothing", async () => {
    const plan = await planned(receiver);
    const send = (index: number) =>
      deployModule(fixture.alpha.reader, plan, { ...payerOf(index), parameters: receiver.parameters });
    expect(await send(0)).to.include({ isNew: true });
    expect(await failureOf(send(1))).to.include({ code: "DEPLOYMENT_REFUSED" });
  });

  it("two senders at once: one deploys, the other's revert names the contract that stands", async () => {
    const plan = await planned();
    await askNode(fixture.alpha, "hardhat_mine", "0x10");
    const sent = await withoutAutomine(fixture.alpha, async () => {
      let waiting = 2;
      const onSent = () => {
        waiting -= 1;
        // Ignition waits for five confirmations on a chain that does not mine at once.
        if (waiting === 0) void mine(fixture.alpha).then(() => askNode(fixture.alpha, "hardhat_mine", "0x5"));
      };
      const send = (index: number) => deployModule(fixture.alpha.reader, plan, { ...payerOf(index), onSent });
      return Promise.all([send(0), send(1)]);
    });
    expect(sent.map(({ isNew }) => isNew)).to.have.members([true, false]);
    for (const { verified } of sent) expect(verified.differences).to.deep.equal([]);
  });

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

  it("a node that changes its chain after the plan: refuses, and sends nothing", async () => {
    const before = await nonce();
    const { client, payer } = await nodeWith({ eth_chainId: (answer) => ({ ...answer, result: "0x1" }) });
    const failure = await failureOf(deployModule(client, await planned(), payer));
    expect(failure).to.include({ code: "CHAIN_MISMATCH" });
    expect(await nonce()).to.equal(before);
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

  it("an account with a transaction on its way, such as an earlier run's: sends nothing", async () => {
    const { account, sendTransaction } = fixture.alpha.wallet(0);
    const plan = await planned();
    const before = await nonce();
    await withoutAutomine(fixture.alpha, async () => {
      await sendTransaction({ chain: null, to: account.address });
      const failure = await failureOf(deployModule(fixture.alpha.reader, plan, payerOf()));
      expect(failure).to.include({ code: "DEPLOYMENT_FAILED" });
      expect(String(failure)).to.include("confirmations");
      await mine(fixture.alpha);
      expect(await nonce()).to.equal(before + 1);
    });
  });

  it("a stop before the broadcast: sends nothing", async () => {
    const before = await nonce();
    const signal = AbortSignal.abort(new Error("stopped"));
    const sending = deployModule(fixture.alpha.reader, await planned(), { ...payerOf(), signal });
    expect(String(await failureOf(sending))).to.include("stopped");
    expect(await nonce()).to.equal(before);
  });
});
