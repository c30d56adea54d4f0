import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, createPublicClient, http, zeroAddress } from "viem";
import { deployModule } from "../../../cli/deployments/deployModule.ts";
import { type Deployment, planDeployment } from "../../../cli/deployments/planDeployment.ts";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { receiverAddress } from "../../../src/abi/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { askNode } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { runInside } from "../../helpers/processes/runInside.ts";

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

const owner: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";

const other: Address = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";

const pinned = { binding: 0, nativePayee: other, refundPayee: owner, solver };

const managed = {
  activationDelay: 60,
  binding: 0,
  coSigner: other,
  isRecipientListOpen: false,
  limits: [{ currency: zeroAddress, maximum: "2000000000000", minimum: "1000000000000" }],
  owner,
  solvers: [{ nativePayee: solver, solver, usesErc1271: false }],
};

/** Answer of a node to one call. */
type Answer = { error?: unknown; result?: unknown };

describe("waybill verify-deployment under attack", () => {
  const fixture = useEmulator();
  const pinnedAt = receiverAddress({
    ...readArtifact("PinnedReceiver"),
    args: [solver, other, 0, owner],
  });
  const managedAt = receiverAddress({ ...readArtifact("ManagedReceiver"), args: [managed] });
  const proxies: AlteringProxy[] = [];
  let folder: string;
  let managedFile: string;
  let pinnedFile: string;
  before("two receivers", async () => {
    folder = mkdtempSync(join(tmpdir(), "waybill-verifying-"));
    managedFile = save("managed.json", { ManagedReceiver: managed });
    pinnedFile = save("pinned.json", { PinnedReceiver: pinned });
    for (const file of [managedFile, pinnedFile]) await deploy(file);
  });
  after(() => {
    for (const proxy of proxies) proxy.stop();
    rmSync(folder, { force: true, recursive: true });
  });

  function save(name: string, value: unknown): string {
    const file = join(folder, name);
    writeFileSync(file, JSON.stringify(value));
    return file;
  }
  async function deploy(file: string): Promise<Address> {
    const emulator = save("emulator.json", fixture.emulator.info);
    const flags = ["--chain", "31337", "--emulator", emulator, "--parameters", file, "--yes", "--json"];
    const { err, out } = await runInside(["deploy", "receiver", ...flags]);
    expect(err).to.equal("");
    return (JSON.parse(out) as { address: Address }).address;
  }
  const verifyBy = (rpcUrl: string, address: Address, ...args: readonly string[]) =>
    runInside(["verify-deployment", address, "--chain", "31337", "--rpc-url", rpcUrl, ...args]);
  const verify = (address: Address, ...args: readonly string[]) =>
    verifyBy(fixture.alpha.info.rpcUrl, address, ...args);
  async function nodeThat(alter: (answer: Answer, method: string, body: string) => Answer): Promise<string> {
    const proxy = await startAlteringProxy({
      alter: (answer, _, body) => alter(answer as Answer, JSON.parse(body).method, body),
      target: fixture.alpha.info.rpcUrl,
    });
    proxies.push(proxy);
    return proxy.url;
  }

  it("an attacker's managed receiver, with parameters of a pinned one: is refused", async () => {
    const ran = await verify(managedAt, "--parameters", pinnedFile);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include("The parameters have no section ManagedReceiver");
  });

  for (const [title, value] of Object.entries({
    "no settings": { contract: "PinnedReceiver", settings: {} },
    "a setting of null": { solver: null },
  })) {
    it(`--expect of ${title}: is an error of usage`, async () => {
      const ran = await verify(pinnedAt, "--expect", save("empty.json", value));
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 2, out: "" });
    });
  }

  it("a node that answers without logs: is refused, not read as a receiver without solvers", async () => {
    const ofReceiver = `"address":"${managedAt}"`.toLowerCase();
    const node = await nodeThat((answer, method, body) =>
      method === "eth_getLogs" && body.toLowerCase().includes(ofReceiver)
        ? { ...answer, result: [] }
        : answer,
    );
    const proven = await verifyBy(node, managedAt, "--expect", save("open.json", { isPaused: false }));
    expect(proven.code, proven.out).to.equal(1);
    expect(proven.out).to.include("its logs may be incomplete");
  });

  it("a node that changes its chain after the first answer: is refused", async () => {
    let asked = 0;
    const node = await nodeThat((answer, method) =>
      method === "eth_chainId" && asked++ > 0 ? { ...answer, result: "0x1" } : answer,
    );
    const ran = await verifyBy(node, pinnedAt);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.err).to.include("of chain 1, and not of chain 31337");
  });
});
