import { expect } from "chai";
import { type Address, createPublicClient, createWalletClient, http } from "viem";
import { planDeployment } from "../../../cli/deployments/planDeployment.ts";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { sendDeployment } from "../../../cli/deployments/sendDeployment.ts";
import { placeCreateX } from "../../helpers/contracts/placeCreateX.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode, mine, withoutAutomine } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";

const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const refundPayee: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const proxyParameters = { chainId: 31337, contract: "BalanceProxy", parameters: {}, readArtifact } as const;
const parameters = { PinnedReceiver: { binding: 0, nativePayee: solver, refundPayee, solver } } as const;

describe("sendDeployment", () => {
  const fixture = useEmulator();

  const proxies: AlteringProxy[] = [];
  let start: unknown;
  before("the factory", () => placeCreateX(fixture.alpha));
  beforeEach("a chain without the contract", async () => {
    start = await askNode(fixture.alpha, "evm_snapshot");
  });
  afterEach(() => askNode(fixture.alpha, "evm_revert", start));
  after(() => {
    for (const proxy of proxies) proxy.stop();
  });

  /** Clients of a node whose answers to some methods are others. */
  async function clientsOf(answers: Readonly<Record<string, (answer: object) => object>>) {
    const proxy = await startAlteringProxy({
      alter: (answer, _, body) => answers[JSON.parse(body).method]?.(answer as object) ?? answer,
      target: fixture.alpha.info.rpcUrl,
    });
    proxies.push(proxy);
    const transport = http(proxy.url, { retryCount: 0 });
    const { account } = fixture.alpha.wallet(0);
    return {
      client: createPublicClient({ cacheTime: 0, pollingInterval: 50, transport }),
      wallet: createWalletClient({ account, transport }),
    };
  }
  const planned = () => planDeployment(fixture.alpha.reader, proxyParameters);
  const given = { parameters: {}, readArtifact } as const;
  const nonce = () =>
    fixture.alpha.reader.getTransactionCount({ address: fixture.alpha.wallet(0).account.address });

  it("a contract that another sender deployed since the plan: refuses, and sends nothing", async () => {
    const { reader, wallet } = fixture.alpha;
    const plan = await planDeployment(reader, {
      ...{ chainId: 31337, contract: "PinnedReceiver" },
      ...{ parameters, readArtifact },
    });
    const send = (index: number) =>
      sendDeployment(reader, plan, { parameters, readArtifact, wallet: wallet(index) });
    expect(await send(0)).to.include({ isNew: true });
    expect(await failureOf(send(1))).to.include({ code: "DEPLOYMENT_REFUSED" });
  });

  it("two senders at once: one deploys, the other's revert names the contract that stands", async () => {
    const { reader, wallet } = fixture.alpha;
    const plan = await planned();
    const sent = await withoutAutomine(fixture.alpha, async () => {
      let waiting = 2;
      const onSent = () => {
        waiting -= 1;
        if (waiting === 0) void mine(fixture.alpha);
      };
      const send = (index: number) =>
        sendDeployment(reader, plan, { ...given, onSent, wallet: wallet(index) });
      return Promise.all([send(0), send(1)]);
    });
    expect(sent.map(({ isNew }) => isNew)).to.have.members([true, false]);
    for (const { verified } of sent) expect(verified.differences).to.deep.equal([]);
  });

  it("two runs with one key at once: one transaction is mined", async () => {
    const before = await nonce();
    const plan = await planned();
    // Each run has a client of its own, as processes do.
    const runs = await Promise.all([clientsOf({}), clientsOf({})]);
    const results = await Promise.allSettled(
      runs.map(({ client, wallet }) => sendDeployment(client, plan, { ...given, wallet })),
    );
    expect(results.some(({ status }) => status === "fulfilled")).to.equal(true);
    expect(await nonce()).to.equal(before + 1);
  });

  it("a node that takes the transaction and answers with an error: the deployment is followed", async () => {
    const before = await nonce();
    const error = { code: -32000, message: "upstream timed out" };
    const { client, wallet } = await clientsOf({
      eth_sendRawTransaction: ({ result: _, ...answer }: { result?: unknown }) => ({ ...answer, error }),
    });
    const sent = await sendDeployment(client, await planned(), { ...given, wallet });
    expect(sent).to.include({ isNew: true });
    expect(sent.verified.differences).to.deep.equal([]);
    expect(await nonce()).to.equal(before + 1);
  });

  it("a node that changes its chain after the plan: refuses, and sends nothing", async () => {
    const before = await nonce();
    const { client, wallet } = await clientsOf({
      eth_chainId: (answer) => ({ ...answer, result: "0x1" }),
    });
    const failure = await failureOf(sendDeployment(client, await planned(), { ...given, wallet }));
    expect(failure).to.include({ code: "CHAIN_MISMATCH" });
    expect(await nonce()).to.equal(before);
  });

  it("a node that raises its fees after the plan: the transaction offers what was shown", async () => {
    const plan = await planned();
    const dear = `0x${(10n ** 15n).toString(16)}`;
    const { client, wallet } = await clientsOf({
      eth_gasPrice: (answer) => ({ ...answer, result: dear }),
      eth_getBlockByNumber: (answer: { result?: object }) => ({
        ...answer,
        result: { ...answer.result, baseFeePerGas: dear },
      }),
      eth_maxPriorityFeePerGas: (answer) => ({ ...answer, result: dear }),
    });
    const { hash } = await sendDeployment(client, plan, { ...given, wallet });
    const sent = await fixture.alpha.reader.getTransaction({ hash });
    const { fees, gasLimit } = plan.transaction ?? {};
    expect(sent).to.include({ ...fees, gas: gasLimit });
  });

  it("a transaction that its sender replaced by another: fails, and does not name a deployment", async () => {
    const { account, sendTransaction } = fixture.alpha.wallet(0);
    const plan = await planned();
    const failure = await withoutAutomine(fixture.alpha, async () => {
      const at = await nonce();
      const onSent = async () => {
        // The wait must see the transaction before it can find a replacement.
        await new Promise((resolve) => setTimeout(resolve, 500));
        const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n };
        await sendTransaction({ chain: null, nonce: at, to: account.address, ...fees });
        await mine(fixture.alpha);
      };
      const { client, wallet } = await clientsOf({});
      return failureOf(sendDeployment(client, plan, { ...given, onSent, timeoutMs: 5_000, wallet }));
    });
    expect(failure).to.include({ code: "DEPLOYMENT_FAILED" });
    expect(String(failure)).to.include("does not stand");
  }).timeout(30_000);

  it("a run that ended before its receipt: the next waits for it, and sends nothing", async () => {
    const { client, wallet } = await clientsOf({});
    const plan = await planned();
    await withoutAutomine(fixture.alpha, async () => {
      const before = await nonce();
      const send = () => sendDeployment(client, plan, { ...given, timeoutMs: 300, wallet });
      expect(await failureOf(send())).to.include({ code: "DEPLOYMENT_FAILED" });
      expect(String(await failureOf(send()))).to.include("1 transactions that are not mined yet");
      await mine(fixture.alpha);
      expect(await nonce()).to.equal(before + 1);
    });
    expect((await planned()).standing?.differences).to.deep.equal([]);
  });

  it("a reorg after the receipt: the next run deploys to the same address", async () => {
    const snapshot = await askNode(fixture.alpha, "evm_snapshot");
    const send = async () =>
      sendDeployment(fixture.alpha.reader, await planned(), { ...given, wallet: fixture.alpha.wallet(0) });
    const first = await send();
    await askNode(fixture.alpha, "evm_revert", snapshot);
    const second = await send();
    expect(second).to.include({ isNew: true });
    expect(second.verified.address).to.equal(first.verified.address);
  });

  it("a stop before the broadcast: sends nothing", async () => {
    const before = await nonce();
    const signal = AbortSignal.abort(new Error("stopped"));
    const sending = sendDeployment(fixture.alpha.reader, await planned(), {
      ...given,
      signal,
      wallet: fixture.alpha.wallet(0),
    });
    expect(String(await failureOf(sending))).to.include("stopped");
    expect(await nonce()).to.equal(before);
  });
});
