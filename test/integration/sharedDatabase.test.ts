import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, type Hex, parseEther, zeroAddress } from "viem";
import { type StartedChains, startChains } from "../../emulator/chains/startChains.ts";
import type { EmulatorInfo } from "../../emulator/index.ts";
import { relayDepositoryAbi } from "../../src/abi/RelayDepository.ts";
import { createClient, getQuote, getStatus, type Quote } from "../../src/client/index.ts";
import { type TestChain, testChain } from "../helpers/emulatorFixture.ts";
import { fresh, idOf, orderIdOf } from "../helpers/failureStage.ts";
import { until } from "../helpers/requestHistory.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../helpers/spawnEmulator.ts";
import { forEachStore } from "../helpers/stores.ts";

const ether = parseEther("1");
const startMs = 60_000;
/** A lease, and what is done behind it. */
const takeoverMs = 40_000;

type Intent = { readonly quote: Quote; readonly recipient: Address; readonly from: TestChain };

forEachStore("two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  let folder: string;
  let elsewhere: StartedChains;
  let chains: readonly [TestChain, TestChain];
  const spawned: SpawnedEmulator[] = [];
  const infos: EmulatorInfo[] = [];
  beforeEach(async function () {
    this.timeout(2 * startMs);
    folder = await mkdtemp(join(tmpdir(), "waybill-shared-"));
    elsewhere = await startChains({ chainPorts: [0, 0] });
    const database = await kind.newUrl();
    const where = elsewhere.chains.flatMap(({ definition, rpcUrl }) => [
      "--chain",
      `${definition.id}=${rpcUrl}`,
    ]);
    // The first one deploys what the second one finds.
    for (const name of ["first", "second"]) {
      const out = join(folder, `${name}.json`);
      const emulator = spawnEmulator(["--port", "0", "--db", database, "--out", out, "--quiet", ...where]);
      spawned.push(emulator);
      infos.push(await readOut(out, emulator, startMs));
    }
    chains = infos[0]?.chains.map(testChain) as unknown as typeof chains;
  });
  afterEach(async () => {
    for (const { child, exited } of spawned.splice(0)) {
      child.kill("SIGTERM");
      await exited;
    }
    infos.splice(0);
    await elsewhere?.close();
    await rm(folder, { force: true, recursive: true });
  });

  const clientOf = (index: number) => createClient({ baseUrl: infos[index % 2]?.apiUrl ?? "" });

  /** Quotes of both emulators in turn, in both directions. */
  async function quotes(count: number): Promise<readonly Intent[]> {
    const intents: Intent[] = [];
    for (let index = 0; index < count; index++) {
      const [from, to] = index % 3 === 0 ? [chains[1], chains[0]] : chains;
      const recipient = fresh();
      const quote = await getQuote(clientOf(index), {
        amount: ether + BigInt(index),
        destinationChainId: to.info.id,
        destinationCurrency: zeroAddress,
        originChainId: from.info.id,
        originCurrency: zeroAddress,
        recipient,
        tradeType: "EXACT_INPUT",
        user: from.wallet(index % 8).account.address,
      });
      intents.push({ from, quote, recipient });
    }
    return intents;
  }

  /** Pays for all, each user one after the other, all users at once. */
  async function payAll(intents: readonly Intent[]): Promise<void> {
    const nonces = new Map<string, number>();
    for (const { from, quote } of intents) {
      const value = BigInt(quote.details.currencyIn.amount);
      const wallet = from.wallet(Number(value - ether) % 8);
      const { address } = wallet.account;
      const place = `${from.info.id}:${address}`;
      const nonce = nonces.get(place) ?? (await from.reader.getTransactionCount({ address }));
      nonces.set(place, nonce + 1);
      await wallet.writeContract({
        abi: relayDepositoryAbi,
        address: from.info.contracts.depository,
        args: [address, orderIdOf(quote)],
        functionName: "depositNative",
        nonce,
        value,
      });
    }
  }

  /** Waits until all are filled, as told by one of the emulators. */
  async function filled(intents: readonly Intent[], index: number): Promise<readonly Hex[]> {
    const hashes: Hex[] = [];
    for (const { quote } of intents) {
      const { txHashes } = await until(
        async () => {
          const status = await getStatus(clientOf(index), { requestId: idOf(quote) });
          return status.status === "success" ? status : undefined;
        },
        `the fill of ${idOf(quote)}`,
        takeoverMs,
      );
      hashes.push(...((txHashes ?? []) as Hex[]));
    }
    return hashes;
  }

  /** On the chains: each recipient has what was promised, once, and the solver has sent nothing else. */
  async function expectPaidOnce(intents: readonly Intent[], before: readonly number[]): Promise<void> {
    for (const { from, quote, recipient } of intents) {
      const to = chains.find((chain) => chain !== from) ?? from;
      expect(await to.balanceOf(zeroAddress, recipient)).to.equal(BigInt(quote.details.currencyOut.amount));
    }
    const after = await noncesOfSolver();
    const sent = after.map((nonce, index) => nonce - (before[index] ?? 0));
    expect(sent.reduce((sum, each) => sum + each, 0)).to.equal(intents.length);
  }
  const noncesOfSolver = () =>
    Promise.all(
      chains.map(({ reader }) =>
        reader.getTransactionCount({ address: infos[0]?.solver ?? "0x", blockTag: "pending" }),
      ),
    );

  it("fill each of 40 requests once, and complain of nothing", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(40);
    const before = await noncesOfSolver();
    await payAll(intents);
    const hashes = await filled(intents, 1);
    expect(new Set(hashes).size).to.equal(40);
    await expectPaidOnce(intents, before);
    expect(spawned.map(({ output }) => output().stderr)).to.deep.equal(["", ""]);
  });

  it("go on when one of them is killed, with what it had begun", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(16);
    const before = await noncesOfSolver();
    const paying = payAll(intents);
    await filled(intents.slice(0, 2), 1);
    spawned[0]?.child.kill("SIGKILL");
    await paying;
    const hashes = await filled(intents, 1);
    expect(new Set(hashes).size).to.equal(16);
    await expectPaidOnce(intents, before);
  });
});
