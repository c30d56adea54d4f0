import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { HardhatRuntimeEnvironment } from "hardhat/types/hre";
import type { NetworkConnection } from "hardhat/types/network";
import { type Abi, encodeAbiParameters, zeroAddress } from "viem";
import type { RunningChain } from "../../../emulator/chains/Chain.ts";
import { definitionsOf } from "../../../emulator/chains/chainDefinitions.ts";
import { startChain } from "../../../emulator/chains/local/startChain.ts";
import config from "../../../hardhat.config.ts";
import { createX } from "../../../ignition/createX.ts";
import { type Deployments, deployMissing } from "../../../ignition/deployMissing.ts";
import pinnedReceiverModule from "../../../ignition/modules/PinnedReceiver.ts";
import recordVerifierModule from "../../../ignition/modules/RecordVerifier.ts";
import { readParameters } from "../../../ignition/parameters.ts";
import { verify } from "../../../ignition/verify.ts";
import {
  deployments,
  managedReceiverAbi,
  orderReceiverAbi,
  pinnedReceiverAbi,
  receiverAddress,
} from "../../../src/abi/index.ts";
import type { DeploymentParameters } from "../../../src/deployment/parameters.ts";

/** The submitted source of an address. */
type Submission = { readonly contract: string; readonly args: string };

/** A block explorer with the part of Etherscan's API that verification needs; it accepts every source. */
class FakeExplorer {
  readonly submissions = new Map<string, Submission>();
  /** Number of submitted sources. */
  verifications = 0;
  readonly #server: Server = createServer((request, response) => {
    void this.#answer(request).then((result) => {
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ message: "OK", result, status: "1" }));
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<unknown> {
    const query = new URL(request.url ?? "", "http://explorer").searchParams;
    switch (query.get("action")) {
      case "getsourcecode":
        return [{ SourceCode: this.submissions.has(query.get("address") ?? "") ? "…" : "" }];
      case "verifysourcecode": {
        let body = "";
        for await (const chunk of request) body += String(chunk);
        const form = new URLSearchParams(body);
        const address = form.get("contractaddress") ?? "";
        const contract = form.get("contractname") ?? "";
        this.verifications += 1;
        this.submissions.set(address, { args: form.get("constructorArguments") ?? "", contract });
        return "receipt";
      }
      default:
        return "Pass - Verified";
    }
  }
}

const local = readParameters(fileOf("local.json"));

const { PinnedReceiver: pinned, ManagedReceiver: managed } = local;

if (pinned === undefined || managed === undefined) throw new Error("The local parameters name too little.");

/** The alpha chain's name, wherever it is deployed: only the same arguments have the same address. */
const order = {
  chainName: "alpha",
  refundPayee: pinned.solver,
  solver: pinned.solver,
} as const;

/** Number of contracts of a run with all parameters. */
const ALL = 8;

/** Unlike public chains, these mine at once, and no block follows by itself. */
const fast = { blockPollingInterval: 10, requiredConfirmations: 1 };

function fileOf(name: string): URL {
  return new URL(`../../../ignition/parameters/${name}`, import.meta.url);
}

function addressIn(there: Deployments, name: keyof Deployments): `0x${string}` {
  const address = there[name]?.address;
  if (address === undefined) throw new Error(`${name} was not deployed.`);
  return address;
}

async function initCodeOf({ ethers }: NetworkConnection, name: string): Promise<`0x${string}`> {
  return (await ethers.getContractFactory(name)).bytecode as `0x${string}`;
}

describe("deployment to two chains", () => {
  const chains: RunningChain[] = [];
  const connections: NetworkConnection[] = [];
  let hre: HardhatRuntimeEnvironment;
  let folder: string;
  /** Contracts with the same address on both chains. */
  let depository: `0x${string}`;

  before("two chains, both with the factory, as public ones have it", async function () {
    this.timeout(60_000);
    folder = mkdtempSync(join(tmpdir(), "waybill-deployment-"));
    for (const definition of definitionsOf({})) chains.push(await startChain(definition, "127.0.0.1", 0));
    hre = await createHardhatRuntimeEnvironment({
      ...config,
      // Folder of the journals, by which a run finds the results of earlier ones.
      paths: { ignition: folder },
      networks: Object.fromEntries(
        chains.map(({ definition, rpcUrl }) => [
          definition.name,
          { type: "http", chainType: "l1", chainId: definition.id, url: rpcUrl } as const,
        ]),
      ),
    });
    for (const { definition } of chains) connections.push(await hre.network.create(definition.name));

    // Ignition deploys the factory on chain 31337 only, by the transaction that its author signed for every chain.
    const [alpha, beta] = both();
    await alpha.ignition.deploy(recordVerifierModule, { config: fast, strategy: "create2" });
    const code = await alpha.ethers.provider.getCode(createX);
    await beta.provider.request({ method: "hardhat_setCode", params: [createX, code] });

    const [, , operator] = await alpha.ethers.getSigners();
    if (!operator) throw new Error("The chain has too few accounts.");
    const service = await alpha.ethers.deployContract("RelayDepository", [operator, operator], {
      signer: operator,
    });
    depository = (await service.getAddress()) as `0x${string}`;
    const serviceCode = await alpha.ethers.provider.getCode(depository);
    await beta.provider.request({ method: "hardhat_setCode", params: [depository, serviceCode] });
  });

  after("stopping the chains", async () => {
    for (const connection of connections) await connection.close();
    for (const chain of chains) await chain.close();
    rmSync(folder, { force: true, recursive: true });
  });

  function both(): readonly [NetworkConnection, NetworkConnection] {
    const [alpha, beta] = connections;
    if (!alpha || !beta) throw new Error("There are not two chains.");
    return [alpha, beta];
  }

  /** Number of transactions of the deploying accounts. */
  async function sentBy(connection: NetworkConnection): Promise<number> {
    const [first, second] = await connection.ethers.getSigners();
    if (!first || !second) throw new Error("The chain has too few accounts.");
    return (await first.getNonce()) + (await second.getNonce());
  }

  /** Every receiver, on the chain with this id. */
  function everything(chainId: number): DeploymentParameters {
    const orders = { ...order, chainId, depository };
    return { ...local, OrderReceiver: orders };
  }

  it("deploys each contract at its predicted address on both chains, from any sender", async () => {
    const [alpha, beta] = both();
    const [, another] = await beta.ethers.getSigners();
    if (!another) throw new Error("The chain has too few accounts.");
    const onAlpha = await deployMissing(alpha, everything(31_337), { config: fast });
    const onBeta = await deployMissing(beta, everything(31_338), {
      config: fast,
      defaultSender: another.address,
    });

    expect(Object.keys(onAlpha)).to.have.length(ALL);
    // Its chain id is among the arguments.
    const { OrderReceiver } = onBeta;
    expect(OrderReceiver?.address).to.not.equal(onAlpha.OrderReceiver?.address);
    expect(onBeta).to.deep.equal({
      ...onAlpha,
      OrderReceiver,
      RecordVerifier: { ...onAlpha.RecordVerifier, isNew: true },
    });
    // The factory deployed this contract.
    expect(onAlpha.RecordVerifier.isNew).to.equal(false);
    for (const [name, { address }] of Object.entries(onAlpha)) {
      const code = await alpha.ethers.provider.getCode(address);
      if (name === "OrderReceiver") continue;
      const other = await beta.ethers.provider.getCode(address);
      expect(code.length).to.be.greaterThan(2);
      // The managed receiver's code contains its chain's signing domain.
      if (name === "ManagedReceiver") expect(other).to.have.length(code.length);
      else expect(other).to.equal(code);
    }
  });

  it("each contract is at the address that the library computes", async () => {
    const [alpha] = both();
    const there = await deployMissing(alpha, everything(31_337));
    for (const name of [
      "BalanceExecutor",
      "BalanceProxy",
      "ManagedReceiverLens",
      "OutputGuard",
      "RecordVerifier",
    ] as const) {
      expect(there[name].address).to.equal(deployments[name]);
    }
    const { solver, nativePayee, binding, refundPayee } = pinned;
    const args = [solver, nativePayee, binding, refundPayee] as const;
    const { limits, ...rest } = managed;
    const configuration = {
      ...rest,
      activationDelay: BigInt(rest.activationDelay),
      limits: limits.map((each) => ({
        ...each,
        minimum: BigInt(each.minimum),
        maximum: BigInt(each.maximum),
      })),
    };
    const orderArgs = [solver, depository, order.chainName, 31_337n, refundPayee] as const;
    const at = async (name: string, abi: Abi, args: readonly unknown[]) =>
      receiverAddress({ abi, args, bytecode: await initCodeOf(alpha, name) });
    const computed = {
      ManagedReceiver: await at("ManagedReceiver", managedReceiverAbi, [configuration]),
      OrderReceiver: await at("OrderReceiver", orderReceiverAbi, orderArgs),
      PinnedReceiver: await at("PinnedReceiver", pinnedReceiverAbi, args),
    };
    for (const [name, address] of Object.entries(computed)) {
      expect(there[name as keyof typeof computed]?.address, name).to.equal(address);
    }
  });

  it("the library computes no address for a receiver of another compilation", async () => {
    const [alpha] = both();
    const bytecode = `${await initCodeOf(alpha, "PinnedReceiver")}00` as const;
    const { solver, nativePayee, binding, refundPayee } = pinned;
    const computing = () =>
      receiverAddress({
        abi: pinnedReceiverAbi,
        args: [solver, nativePayee, binding, refundPayee],
        bytecode,
      });
    expect(computing).to.throw("not the creation code of a receiver of this version");
  });

  it("a module that is run again without its journal sends nothing", async () => {
    rmSync(join(folder, "deployments"), { recursive: true });
    for (const connection of both()) {
      const sent = await sentBy(connection);
      const { chainId } = await connection.ethers.provider.getNetwork();
      const there = await deployMissing(connection, everything(Number(chainId)), { config: fast });
      expect(Object.values(there).map(({ isNew }) => isNew)).to.deep.equal(Array(ALL).fill(false));
      expect(await sentBy(connection)).to.equal(sent);
    }
  });

  it("deploys one module with the parameters of a file, and finds its journal", async () => {
    const [alpha] = both();
    const parameters = { PinnedReceiver: { ...pinned, nativePayee: managed.owner } } as const;
    const options = { config: fast, parameters, strategy: "create2" } as const;
    const { pinnedReceiver } = await alpha.ignition.deploy(pinnedReceiverModule, options);
    const sent = await sentBy(alpha);
    await alpha.ignition.deploy(pinnedReceiverModule, options);
    const { PinnedReceiver } = await deployMissing(alpha, parameters, { config: fast });
    expect(PinnedReceiver).to.deep.include({ address: await pinnedReceiver.getAddress(), isNew: false });
    expect(await sentBy(alpha)).to.equal(sent);
  });

  async function refusal(connection: NetworkConnection, parameters: DeploymentParameters): Promise<string> {
    const sent = await sentBy(connection);
    const error = await deployMissing(connection, parameters, { config: fast }).catch(
      (reason: unknown) => reason,
    );
    expect(await sentBy(connection)).to.equal(sent);
    return String(error);
  }

  it("rejects an order receiver for another chain, or without its depository, and sends nothing", async () => {
    const [, beta] = both();
    expect(await refusal(beta, everything(31_337))).to.contain("chainId is 31337, and this is chain 31338");
    const absent = `0x${"d0".repeat(20)}` as const;
    const nowhere = { OrderReceiver: { ...order, chainId: 31_338, depository: absent } };
    expect(await refusal(beta, nowhere)).to.contain(`${absent}, has no code on chain 31338`);
  });

  it("rejects wrong parameters before anything is sent", async () => {
    const [alpha] = both();
    const nobodys = { ManagedReceiver: { ...managed, owner: zeroAddress } };
    expect(await refusal(alpha, nobodys)).to.contain("ManagedReceiver.owner: is the zero address");
  });

  for (const [name, chainId] of Object.entries({ arbitrum: 42_161, base: 8_453, optimism: 10 })) {
    it(`parameters for orders of the service on ${name} fit that chain only`, async () => {
      const [alpha] = both();
      const parameters = readParameters(fileOf(`production-${name}.json`));
      expect(parameters.OrderReceiver).to.deep.include({ chainId, chainName: name });
      expect(parameters.OrderReceiver?.depository).to.equal("0x4cD00E387622C35bDDB9b4c962C136462338BC31");
      expect(await refusal(alpha, parameters)).to.contain(`chainId is ${chainId}, and this is chain 31337`);
    });
  }

  /** The beta chain again, as a network that has a block explorer: verification refuses chain 31337. */
  async function withExplorer(url: string): Promise<HardhatRuntimeEnvironment> {
    const beta = chains[1];
    if (beta === undefined) throw new Error("There are not two chains.");
    const { id, name } = beta.definition;
    const etherscan = { apiUrl: `${url}/api`, name: "Explorer", url };
    return createHardhatRuntimeEnvironment(
      {
        ...config,
        chainDescriptors: { [id]: { blockExplorers: { etherscan }, name } },
        networks: { [name]: { type: "http", chainType: "l1", chainId: id, url: beta.rpcUrl } },
        verify: { etherscan: { apiKey: "none" } },
      },
      { network: name },
    );
  }

  it("sends the explorer every source that it lacks, with its arguments", async function () {
    this.timeout(120_000);
    const [, beta] = both();
    const there = await deployMissing(beta, everything(31_338), { config: fast });
    const explorer = new FakeExplorer();
    const environment = await withExplorer(await explorer.start());
    const { log } = console;
    // The task prints its progress.
    console.log = () => undefined;
    try {
      await verify(environment, there);
      for (const [name, { address }] of Object.entries(there)) {
        const contract = explorer.submissions.get(address)?.contract;
        expect(contract, name).to.match(new RegExp(`^project/contracts/.*/${name}\\.sol:${name}$`));
      }
      const argsOf = (name: keyof Deployments) => explorer.submissions.get(addressIn(there, name))?.args;
      expect(argsOf("BalanceExecutor")).to.equal("");
      const { solver, nativePayee, binding, refundPayee } = pinned;
      const words = [
        { type: "address" },
        { type: "address" },
        { type: "uint8" },
        { type: "address" },
      ] as const;
      const encoded = encodeAbiParameters(words, [solver, nativePayee, binding, refundPayee]).slice(2);
      expect(argsOf("PinnedReceiver")).to.equal(encoded);
      expect(argsOf("ManagedReceiver")).to.contain(managed.owner.slice(2).toLowerCase());

      const given = explorer.verifications;
      await verify(environment, there);
      expect(explorer.verifications).to.equal(given);
    } finally {
      console.log = log;
      await explorer.stop();
    }
  });
});
