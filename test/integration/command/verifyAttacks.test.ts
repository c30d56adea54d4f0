import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, encodeFunctionData, numberToHex, zeroAddress } from "viem";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { managedReceiverAbi, receiverAddress } from "../../../src/abi/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { runInside } from "../../helpers/processes/runInside.ts";

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

  it("parameters whose settings hold by a later change, of another address: are refused", async () => {
    const started = { ...managed, coSigner: owner };
    const address = await deploy(save("started.json", { ManagedReceiver: started }));
    const data = encodeFunctionData({
      abi: managedReceiverAbi,
      args: [managed.coSigner],
      functionName: "setCoSigner",
    });
    const hash = await fixture.alpha.wallet(0).sendTransaction({ data, to: address });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
    await mine(fixture.alpha);
    const ran = await verify(address, "--parameters", managedFile);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include(`The parameters give the address ${managedAt}`);
  });

  it("an order receiver whose parameters name another chain: is refused", async () => {
    const { depository } = fixture.alpha.info.contracts;
    const order = { chainId: 31337, chainName: "alpha", depository, refundPayee: owner, solver };
    const address = await deploy(save("order.json", { OrderReceiver: order }));
    const file = save("elsewhere.json", { OrderReceiver: { ...order, chainId: 8453 } });
    const ran = await verify(address, "--parameters", file);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include("OrderReceiver.chainId is 8453");
  });

  it("--expect of one setting beside --parameters: the settings of both are compared", async () => {
    const file = save("other.json", { PinnedReceiver: { ...pinned, refundPayee: other } });
    const ran = await verify(pinnedAt, "--parameters", file, "--expect", save("some.json", { solver }));
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include("`refundPayee` is");
  });

  it("--expect of the same settings of another contract: is refused", async () => {
    const settings = JSON.parse((await verify(pinnedAt, "--json")).out) as object;
    const saved = save("saved.json", { ...settings, contract: "ManagedReceiver" });
    const ran = await verify(pinnedAt, "--expect", saved);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include("the code is PinnedReceiver's, and not ManagedReceiver's");
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

  it("no expectation: does not claim that the settings are as expected", async () => {
    const ran = await verify(pinnedAt);
    expect(ran.code).to.equal(0);
    expect(ran.out).to.include("no setting was compared").and.not.include("as expected");
  });

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

  it("a late --from-block at a node without old states: is refused", async () => {
    await mine(fixture.alpha);
    const block = await fixture.alpha.reader.getBlockNumber();
    const node = await nodeThat((answer, method, body) =>
      method === "eth_getCode" && !body.includes(numberToHex(block))
        ? { ...answer, error: { code: -32000, message: "missing trie node" }, result: undefined }
        : answer,
    );
    // The file leaves no setting to differ, so that only the missing logs can refuse.
    const emptied = save("emptied.json", { limits: [], solvers: [] });
    const flags = ["--from-block", `${block}`, "--parameters", managedFile, "--expect", emptied];
    const ran = await verifyBy(node, managedAt, ...flags);
    expect(ran.code, ran.out).to.equal(1);
    expect(ran.out).to.include("its logs may be incomplete");
  });

  it("a node that answers logs with null: is a failed read, and no missing log", async () => {
    const node = await nodeThat((answer, method) =>
      method === "eth_getLogs" ? { ...answer, result: null } : answer,
    );
    const ran = await verifyBy(node, managedAt, "--parameters", managedFile);
    expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 3, out: "" });
    expect(ran.err).to.include("reading logs of");
  });

  it("a node that refuses long ranges of logs: is read in short ones", async () => {
    const node = await nodeThat((answer, method, body) => {
      if (method !== "eth_getLogs") return answer;
      const [{ fromBlock, toBlock }] = JSON.parse(body).params;
      if (Number(toBlock) - Number(fromBlock) < 1_200) return answer;
      return { ...answer, error: { code: -32005, message: "range is too large" }, result: undefined };
    });
    await fixture.alpha.reader.request({ method: "hardhat_mine", params: ["0x1388"] } as never);
    const ran = await verifyBy(node, managedAt, "--parameters", managedFile, "--json");
    expect(ran.code, ran.out).to.equal(0);
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
