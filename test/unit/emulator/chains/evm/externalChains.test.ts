import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "chai";
import {
  createWalletClient,
  defineChain,
  http,
  parseAbi,
  parseEther,
  parseUnits,
  toHex,
  zeroAddress,
} from "viem";
import { deriveAccounts } from "../../../../../emulator/chains/accounts.ts";
import type { RunningChain } from "../../../../../emulator/chains/Chain.ts";
import { ChainUnreachableError, connectChain } from "../../../../../emulator/chains/evm/connectChain.ts";
import { type StartedChains, startChains } from "../../../../../emulator/chains/local/startChains.ts";
import { pendingNonce } from "../../../../../emulator/chains/rpc.ts";
import {
  findOrDeployService,
  ServiceMissingError,
} from "../../../../../emulator/chains/setup/findService.ts";
import { ChainNotFundedError } from "../../../../../emulator/chains/setup/fundService.ts";
import { permit2Address } from "../../../../../emulator/chains/setup/placePermit2.ts";
import { startEmulator } from "../../../../../emulator/index.ts";
import { createClient, getQuote } from "../../../../../src/client/index.ts";
import { InvalidParameterError } from "../../../../../src/errors/InvalidParameterError.ts";
import { execute } from "../../../../../src/execute/index.ts";
import { quickSleep } from "../../../../helpers/quickSleep.ts";
import { emptyStore } from "../../support/requests.ts";

const accounts = deriveAccounts();
const routerAbi = parseAbi([
  "function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[])",
]);

/** A node that knows standard methods only, has no websocket and unlocks nothing, in front of another one. */
async function plainNode(url: string): Promise<{ url: string; close(): void }> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const body = Buffer.concat(parts).toString();
      const { id, method } = JSON.parse(body) as { id: number; method: string };
      const isPlain = /^(?:eth|net|web3)_/.test(method) && method !== "eth_sendTransaction";
      const error = { code: -32_601, message: `the method ${method} does not exist` };
      response.setHeader("content-type", "application/json");
      response.end(
        isPlain
          ? await (await fetch(url, { body, method: "POST" })).text()
          : JSON.stringify({ error, id, jsonrpc: "2.0" }),
      );
      // What is no JSON-RPC, or was broken off, gets no answer.
    })().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    close: () => {
      server.close();
      server.closeAllConnections();
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}

describe("chains that run elsewhere", function () {
  this.timeout(60_000);
  let elsewhere: StartedChains;
  const closers: (() => unknown)[] = [];
  beforeEach(async () => {
    elsewhere = await startChains({ chainPorts: [0, 0] });
    closers.push(() => elsewhere.close());
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  function first(): RunningChain {
    const [chain] = elsewhere.chains;
    if (chain === undefined) throw new Error("no chain");
    return chain;
  }

  async function connect(rpcUrl = first().rpcUrl, id = 31_337): Promise<RunningChain> {
    const chain = await connectChain({ id, rpcUrl });
    closers.push(chain.close);
    return chain;
  }

  async function plain(): Promise<RunningChain> {
    const node = await plainNode(first().rpcUrl);
    closers.push(node.close);
    return connect(node.url);
  }

  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
  const mine = () => first().rpc("evm_mine");
  const nextHead = (chain: RunningChain) =>
    new Promise<bigint>((resolve) => {
      const end = chain.onBlock(({ number }) => {
        end();
        resolve(number);
      });
    });

  it("carry the emulator: an intent is filled on them, under the names that the default chains have", async () => {
    const chains = elsewhere.chains.map(({ definition, rpcUrl }) => ({ id: definition.id, rpcUrl }));
    const emulator = await startEmulator({ chains, port: 0 });
    closers.push(() => emulator.stop());
    const [alpha, beta] = emulator.info.chains;
    const user = accounts.users[0];
    if (alpha === undefined || beta === undefined || user === undefined) throw new Error("too little");
    expect([alpha.name, beta.name, alpha.rpcUrl]).to.deep.equal(["alpha", "beta", first().rpcUrl]);
    const client = createClient({ baseUrl: emulator.info.apiUrl, sleep: quickSleep });
    const quote = await getQuote(client, {
      amount: parseEther("1"),
      destinationChainId: beta.id,
      destinationCurrency: beta.currencies.find(({ symbol }) => symbol === "USDC")?.address ?? zeroAddress,
      originChainId: alpha.id,
      originCurrency: zeroAddress,
      tradeType: "EXACT_INPUT",
      user: user.account.address,
    });
    const wallet = createWalletClient({
      account: user.account,
      chain: defineChain({
        id: alpha.id,
        name: alpha.name,
        nativeCurrency: { decimals: 18, name: "Ether", symbol: "ETH" },
        rpcUrls: { default: { http: [alpha.rpcUrl] } },
      }),
      transport: http(alpha.rpcUrl),
    });
    const { status } = await execute(client, { quote, timeout: 20_000, verify: false, wallet });
    expect(status).to.equal("success");
  });

  it("hear of blocks over a websocket", async () => {
    const chain = await connect();
    await mine();
    // Subscribed by now, or polled: either way the head arrives.
    const told = nextHead(chain);
    await mine();
    expect(Number(await told)).to.be.at.least(1);
    while (chain.head().number < 2n) await nextHead(chain);
    expect(chain.head().hash).to.equal((await chain.client.getBlock()).hash);
  });

  it("hear of blocks by asking where there is no websocket", async () => {
    const chain = await plain();
    const told = nextHead(chain);
    await mine();
    expect(await told).to.equal(1n);
  });

  it("are refused when no node answers, or one of another chain does", async () => {
    const nobody = await failure(connectChain({ id: 31_337, rpcUrl: "http://127.0.0.1:1" }));
    expect(nobody)
      .to.be.instanceOf(ChainUnreachableError)
      .with.property("message")
      .that.matches(/no node answers/);
    const wrong = await failure(connectChain({ id: 5, rpcUrl: first().rpcUrl }));
    expect(wrong)
      .to.be.instanceOf(ChainUnreachableError)
      .with.property("message")
      .that.matches(/of chain 31337/);
  });

  it("are refused when there is none, when two are the same, and with ports of their own", async () => {
    const one = { id: 31_337, rpcUrl: first().rpcUrl };
    for (const parameters of [
      { chains: [] },
      { chains: [one, one] },
      { chainPorts: [0, 0], chains: [one] },
    ]) {
      const error = await failure(startEmulator({ ...parameters, port: 0 }));
      expect(error).to.be.instanceOf(InvalidParameterError);
    }
  });

  describe("with a database", () => {
    it("are found again as they were, without another transaction", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      const deployed = await findOrDeployService(await connect(), accounts, store);
      const nonce = await pendingNonce(deployed.rpc, accounts.deployer.account.address);
      const again = await findOrDeployService(await connect(), accounts, store);
      expect(again.contracts).to.deep.equal(deployed.contracts);
      // As text, too: users compare the documents of two starts.
      expect(JSON.stringify(again.contracts)).to.equal(JSON.stringify(deployed.contracts));
      expect(again.currencies).to.deep.equal(deployed.currencies);
      expect(again.swap).to.deep.equal(deployed.swap);
      expect(await pendingNonce(deployed.rpc, accounts.deployer.account.address)).to.equal(nonce);
      const cursor = await store.selectFrom("cursors").selectAll().execute();
      expect(cursor).to.deep.equal([{ chain_id: 31_337, next_block: Number(deployed.firstBlock) }]);
    });

    it("are refused when the code is gone, and when the chain begins otherwise", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      const start = await first().rpc("evm_snapshot");
      await findOrDeployService(await connect(), accounts, store);
      await first().rpc("evm_revert", [start]);
      const gone = await failure(findOrDeployService(await connect(), accounts, store));
      expect(gone)
        .to.be.instanceOf(ServiceMissingError)
        .with.property("message")
        .that.matches(/nothing is at 0x/);
      await store
        .updateTable("chains")
        .set({ genesis_hash: `0x${"12".repeat(32)}` })
        .execute();
      const other = await failure(findOrDeployService(await connect(), accounts, store));
      expect(other)
        .to.be.instanceOf(ServiceMissingError)
        .with.property("message")
        .that.matches(/another block/);
    });

    it("are deployed to anew when the run before ended half-way", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      const [user] = accounts.users;
      // Nonces have moved, and nothing was written down.
      const chain = await connect();
      const raw = await accounts.deployer.account.signTransaction({
        chainId: 31_337,
        gas: 21_000n,
        maxFeePerGas: parseUnits("10", 9),
        nonce: 0,
        to: user?.account.address,
        type: "eip1559",
      });
      await chain.rpc("eth_sendRawTransaction", [raw]);
      const { contracts } = await findOrDeployService(chain, accounts, store);
      expect(await chain.client.getCode({ address: contracts.depository })).to.match(/^0x../);
    });
  });

  describe("without development methods", () => {
    it("get the service from plain transfers and signed transactions", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      const chain = await plain();
      const { contracts, swap } = await findOrDeployService(chain, accounts, store);
      expect(contracts.permit2).to.not.equal(permit2Address);
      const separator = await chain.client.readContract({
        abi: parseAbi(["function DOMAIN_SEPARATOR() view returns (bytes32)"]),
        address: contracts.permit2,
        functionName: "DOMAIN_SEPARATOR",
      });
      expect(separator).to.match(/^0x[0-9a-f]{64}$/);
      const solver = accounts.solver.account.address;
      expect((await chain.client.getBalance({ address: solver })) > parseEther("1000")).to.equal(true);
      const usdc = swap.pairs.flatMap(({ tokens }) => tokens).find((token) => token !== swap.wrappedNative);
      const [, dollars = 0n] = await chain.client.readContract({
        abi: routerAbi,
        address: swap.router,
        args: [parseEther("0.1"), [swap.wrappedNative, usdc ?? zeroAddress]],
        functionName: "getAmountsOut",
      });
      expect(Number(dollars) / 1e6).to.be.within(249, 249.25);
    });

    it("wait for a node that mines in its own time", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      await first().rpc("evm_setAutomine", [false]);
      await first().rpc("evm_setIntervalMining", [50]);
      const { contracts } = await findOrDeployService(await plain(), accounts, store);
      await first().rpc("evm_setIntervalMining", [0]);
      expect(await first().client.getCode({ address: contracts.relayReceiver })).to.match(/^0x../);
    });

    it("are refused when no account is funded there", async () => {
      const store = await emptyStore();
      closers.push(() => store.destroy());
      for (const { account } of [...accounts.users, accounts.deployer, accounts.solver]) {
        await first().rpc("hardhat_setBalance", [account.address, toHex(1_000n)]);
      }
      const error = await failure(findOrDeployService(await plain(), accounts, store));
      expect(error).to.be.instanceOf(ChainNotFundedError);
      expect(await store.selectFrom("chains").selectAll().execute()).to.deep.equal([]);
    });
  });
});
