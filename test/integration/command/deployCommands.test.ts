import { randomUUID } from "node:crypto";
import { expect } from "chai";
import { type Address, concatHex, encodeFunctionData, type Hex, zeroAddress } from "viem";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { createXAddress, deployments, managedReceiverAbi, receiverAddress } from "../../../src/abi/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { mine, setCode } from "../../helpers/localChain.ts";
import { type AlteringProxy, startAlteringProxy } from "../../helpers/processes/alteringProxy.ts";
import { runInside } from "../../helpers/processes/runInside.ts";
import type { RanCommand } from "../../helpers/processes/runWaybill.ts";
import { useCommandFolder } from "../../helpers/processes/useCommandFolder.ts";

const owner: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const other: Address = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";
const elsewhere: Address = "0x00000000000000000000000000000000c0ffee00";
const pinned = readArtifact("PinnedReceiver");
const managed = readArtifact("ManagedReceiver");
const pinnedParameters = { binding: 0, nativePayee: solver, refundPayee: owner, solver };
const baseFile = new URL("../../../ignition/parameters/production-base.json", import.meta.url).pathname;

const initial = {
  activationDelay: 60,
  binding: 0,
  coSigner: other,
  isRecipientListOpen: false,
  limits: [{ currency: zeroAddress, maximum: "2000000000000", minimum: "1000000000000" }],
  owner,
  solvers: [{ nativePayee: solver, solver, usesErc1271: false }],
};

describe("waybill deploy and verify-deployment", () => {
  const fixture = useEmulator();
  const pinnedAt = receiverAddress({ ...pinned, args: [solver, solver, 0, owner] });
  const managedAt = receiverAddress({ ...managed, args: [initial] });
  const { emulatorFile, save } = useCommandFolder(fixture);
  const pinnedBy = (changes: object) => [
    "--parameters",
    save(`${randomUUID()}.json`, { PinnedReceiver: { ...pinnedParameters, ...changes } }),
  ];
  const pinnedFlags = pinnedBy({});
  const managedFile = save("managed.json", { ManagedReceiver: initial });

  const onAlpha = (...args: readonly string[]) =>
    runInside([...args, "--chain", "31337", "--emulator", emulatorFile]);
  const deploy = (...args: readonly string[]) => onAlpha("deploy", ...args);
  const verify = (address: string, ...args: readonly string[]) =>
    onAlpha("verify-deployment", address, ...args);
  const json = ({ err, out }: RanCommand) => {
    expect(err).to.equal("");
    return JSON.parse(out) as Record<string, unknown>;
  };
  const codeOf = async (address: Address): Promise<Hex> =>
    (await fixture.alpha.reader.getCode({ address })) ?? "0x";
  const sentBy = (address: Address) => fixture.alpha.reader.getTransactionCount({ address });
  /** Of a receiver that no other test deploys. */
  const dear = pinnedBy({ nativePayee: other, refundPayee: other });
  async function change(
    functionName: "addSolver" | "requestOwnershipHandover" | "setCoSigner" | "setPaused",
    args: readonly unknown[],
    index = 0,
  ) {
    const data = encodeFunctionData({ abi: managedReceiverAbi, args, functionName } as never);
    const hash = await fixture.alpha.wallet(index).sendTransaction({ data, to: managedAt });
    await fixture.alpha.reader.waitForTransactionReceipt({ hash });
  }

  it("deploy without --yes on a local chain: places the factory, prints address, arguments and cost, and sends nothing", async () => {
    const before = await sentBy(owner);
    const { code, err, out } = await deploy("receiver", ...pinnedFlags);
    expect({ code, err }).to.deep.equal({ code: 0, err: "" });
    expect(out).to.match(/\nNothing was sent: pass --yes to deploy\.\n$/);
    expect(out)
      .to.include(pinnedAt)
      .and.match(/nativePayee .* receives native currency\n/);
    expect(out)
      .to.match(/cost +0\.\d+ ether +\d+ wei/)
      .and.match(/owner +none /);
    expect(await codeOf(pinnedAt)).to.equal("0x");
    expect(await sentBy(owner)).to.equal(before);
  });

  it("deploy --yes: the receiver stands where the library says, and a second run sends nothing", async () => {
    const first = json(await deploy("receiver", ...pinnedFlags, "--yes", "--json"));
    expect(first).to.include({ address: pinnedAt, contract: "PinnedReceiver", status: "deployed" });
    const hash = first["transactionHash"] as Hex;
    const { gasUsed } = await fixture.alpha.reader.getTransactionReceipt({ hash });
    const { gas } = first["cost"] as { gas: string };
    expect(Math.abs(Number(gas) - Number(gasUsed))).to.be.below(100_000);
    const sent = await sentBy(owner);
    const second = json(await deploy("receiver", ...pinnedFlags, "--yes", "--json"));
    expect(second).to.deep.include({ differences: [], status: "standing", transactionHash: null });
    expect(await sentBy(owner)).to.equal(sent);
  });

  it("deploy proxy: proxy and executor stand at their addresses of every chain", async () => {
    expect((await deploy("proxy", "--yes")).code).to.equal(0);
    for (const name of ["BalanceProxy", "BalanceExecutor"] as const) {
      const verified = json(await verify(deployments[name], "--json"));
      expect(verified).to.deep.include({ contract: name, differences: [] });
    }
  });

  describe("deploy, before anything is sent", () => {
    const refusals: Readonly<Record<string, { args: readonly string[]; code?: number; names: string }>> = {
      "a node of another chain": {
        args: ["proxy", "--chain", "10"],
        names: "of chain 31337, and not of chain 10",
      },
      "a payee without a key": {
        args: ["receiver", ...pinnedBy({ refundPayee: `0x${"00".repeat(19)}01` })],
        names: "is an account that has no key",
      },
      "a payee that anyone can take money from": {
        args: ["receiver", ...pinnedBy({ refundPayee: deployments.BalanceProxy })],
        names: "is an account that has no key",
      },
      "a solver of zero": {
        args: ["receiver", ...pinnedBy({ solver: zeroAddress })],
        code: 2,
        names: "PinnedReceiver.solver: is the zero address",
      },
      "an order receiver of another chain": {
        args: ["receiver", "--parameters", baseFile],
        names: "OrderReceiver.chainId is 8453",
      },
    };
    for (const [title, { args, code = 1, names }] of Object.entries(refusals)) {
      it(`refuses ${title}`, async () => {
        const chain = args.includes("--chain") ? [] : ["--chain", "31337"];
        const { accounts, rpcUrl } = fixture.alpha.info;
        const env = { WAYBILL_PRIVATE_KEY: accounts[0]?.privateKey ?? "" };
        const ran = await runInside(["deploy", ...args, ...chain, "--rpc-url", rpcUrl, "--yes"], env);
        expect({ code: ran.code, out: ran.out }).to.deep.equal({ code, out: "" });
        expect(ran.err).to.include(names);
      });
    }

    it("refuses other code at the factory's address, and sends nothing", async () => {
      await setCode(fixture.beta, createXAddress, "0x60016002");
      const ran = await runInside([
        "deploy",
        "proxy",
        "--chain",
        "31338",
        "--emulator",
        emulatorFile,
        "--yes",
      ]);
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 1, out: "" });
      expect(ran.err).to.include("is not CreateX's");
    });
  });

  describe("the price of a deployment", () => {
    it("a deployment above --max-fee: is refused, and nothing is sent", async () => {
      const before = await sentBy(owner);
      const ran = await deploy("receiver", ...dear, "--max-fee", "0.0000001", "--yes");
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 1, out: "" });
      expect(ran.err).to.match(/may cost 0\.\d+ ether, above 0\.0000001: --max-fee allows more/);
      expect(await sentBy(owner)).to.equal(before);
    });

    it("a node that names a thousandth of a token per gas: is refused without --max-fee", async () => {
      const before = await sentBy(owner);
      const proxy = await startAlteringProxy({
        alter: (answer, _path, body) =>
          body.includes("eth_gasPrice") ? { ...(answer as object), result: "0x38d7ea4c68000" } : answer,
        target: fixture.alpha.info.rpcUrl,
      });
      try {
        const ran = await deploy("receiver", ...dear, "--rpc-url", proxy.url, "--yes");
        expect(ran.code, ran.err).to.equal(1);
        expect(ran.err).to.match(/may cost \d{4,}\.?\d* ether, above 0\.1:/);
      } finally {
        proxy.stop();
      }
      expect(await sentBy(owner)).to.equal(before);
    });
  });

  describe("verify-deployment", () => {
    before("the receivers", async () => {
      await deploy("receiver", ...pinnedFlags, "--yes");
      await deploy("receiver", "--parameters", managedFile, "--yes");
    });

    it("a pinned receiver: shows its immutables, and compares them to parameters", async () => {
      const verified = json(await verify(pinnedAt, "--json", ...pinnedFlags));
      expect(verified).to.deep.include({
        contract: "PinnedReceiver",
        differences: [],
        settings: pinnedParameters,
      });
      const wrong = await verify(pinnedAt, ...pinnedBy({ solver: other }));
      expect(wrong.code).to.equal(1);
      expect(wrong.out).to.include("`solver` is").and.include(other.toLowerCase());
    });

    it("a managed receiver: shows every setting, and names what changed since", async () => {
      const before = await verify(managedAt, "--parameters", managedFile, "--json");
      expect(json(before)).to.deep.include({ contract: "ManagedReceiver", differences: [] });

      const { timestamp } = await fixture.alpha.reader.getBlock();
      await change("addSolver", [other, other, Number(timestamp) + 3_600, false]);
      await change("setPaused", [true]);
      await change("requestOwnershipHandover", [], 3);
      const after = await verify(managedAt, "--parameters", managedFile, "--json");
      expect(after.code).to.equal(1);
      const { differences, settings } = json(after) as {
        differences: { setting: string }[];
        settings: { pendingOwners: { account: Address }[]; solvers: { solver: Address; state: string }[] };
      };
      expect(differences.map(({ setting }) => setting)).to.have.members([
        "isPaused",
        "pendingOwners",
        "solvers",
      ]);
      expect(settings.solvers.map(({ state }) => state)).to.deep.equal(["active", "scheduled"]);
      expect(settings.pendingOwners[0]?.account).to.equal(fixture.alpha.info.accounts[3]?.address);
    });

    it("OrderReceiver, deployed: shows its immutables, and names another refund payee", async () => {
      const { depository } = fixture.alpha.info.contracts;
      const order = { chainId: 31337, chainName: "alpha", depository, refundPayee: owner, solver };
      const file = save("OrderReceiver.json", { OrderReceiver: order });
      const deployed = json(await deploy("receiver", "--parameters", file, "--yes", "--json"));
      expect(deployed).to.deep.include({ contract: "OrderReceiver", differences: [], status: "deployed" });
      const address = deployed["address"] as Address;
      const verified = json(await verify(address, "--parameters", file, "--json"));
      expect(verified).to.deep.include({ contract: "OrderReceiver", differences: [] });
      const shown = { chainId: "31337", depository, refundPayee: owner, solver };
      expect(verified["settings"]).to.deep.include(shown);
      const changed = save("changed.json", { OrderReceiver: { ...order, refundPayee: other } });
      const wrong = await verify(address, "--parameters", changed);
      expect(wrong.code).to.equal(1);
      expect(wrong.out).to.include("`refundPayee` is").and.include(other.toLowerCase());
    });

    const hostile: Readonly<Record<string, () => Promise<Hex>>> = {
      "a minimal proxy of the receiver": async () =>
        concatHex(["0x363d3d373d3d3d363d73", pinnedAt, "0x5af43d82803e903d91602b57fd5bf3"]),
      "code of another package": async () => "0x60016002",
      "the receiver's code at another address": () => codeOf(pinnedAt),
    };
    for (const [title, code] of Object.entries(hostile)) {
      it(`${title}: is refused`, async () => {
        await setCode(fixture.alpha, elsewhere, await code());
        const ran = await verify(elsewhere);
        expect(ran.code).to.equal(1);
        expect(ran.out).to.include(`No creation of ${elsewhere} by this package's code is known`);
      });
    }

    it("a search that starts after the contract: is refused, because older logs would be missed", async () => {
      await mine(fixture.alpha);
      const block = await fixture.alpha.reader.getBlockNumber();
      const ran = await verify(managedAt, "--parameters", managedFile, "--from-block", `${block}`);
      expect(ran.code).to.equal(1);
      expect(ran.out).to.include("its logs may be incomplete");
    });

    it("a node of another chain: is refused", async () => {
      const { rpcUrl } = fixture.alpha.info;
      const ran = await runInside(["verify-deployment", pinnedAt, "--chain", "1", "--rpc-url", rpcUrl]);
      expect({ code: ran.code, out: ran.out }).to.deep.equal({ code: 1, out: "" });
      expect(ran.err).to.equal("error: The node is of chain 31337, and not of chain 1.\n");
    });

    describe("waybill verify-deployment under attack", () => {
      const proxies: AlteringProxy[] = [];
      after(() => {
        for (const proxy of proxies) proxy.stop();
      });

      /** Verifies by a node whose answers are altered. */
      async function verifyBy(
        alter: (answer: object, method: string, body: string) => object,
        address: Address,
        ...args: readonly string[]
      ): Promise<RanCommand> {
        const proxy = await startAlteringProxy({
          alter: (answer, _, body) => alter(answer as object, JSON.parse(body).method, body),
          target: fixture.alpha.info.rpcUrl,
        });
        proxies.push(proxy);
        return runInside([
          ...["verify-deployment", address, "--chain", "31337", "--rpc-url", proxy.url],
          ...args,
        ]);
      }

      it("an attacker's managed receiver, with parameters of a pinned one: is refused", async () => {
        const ran = await verify(managedAt, ...pinnedBy({ nativePayee: other }));
        expect(ran.code, ran.out).to.equal(1);
        expect(ran.out).to.include("The parameters have no section ManagedReceiver");
      });

      it("a node that answers without logs: is refused, not read as a receiver without solvers", async () => {
        const ofReceiver = `"address":"${managedAt}"`.toLowerCase();
        const withoutLogs = (answer: object, method: string, body: string) =>
          method === "eth_getLogs" && body.toLowerCase().includes(ofReceiver)
            ? { ...answer, result: [] }
            : answer;
        const ran = await verifyBy(withoutLogs, managedAt, "--parameters", managedFile);
        expect(ran.code, ran.out).to.equal(1);
        expect(ran.out).to.include("its logs may be incomplete");
      });

      it("a node that changes its chain after the first answer: is refused", async () => {
        let asked = 0;
        const ran = await verifyBy(
          (answer, method) =>
            method === "eth_chainId" && asked++ > 0 ? { ...answer, result: "0x1" } : answer,
          pinnedAt,
        );
        expect(ran.code, ran.out).to.equal(1);
        expect(ran.err).to.include("of chain 1, and not of chain 31337");
      });
    });
  });
});
