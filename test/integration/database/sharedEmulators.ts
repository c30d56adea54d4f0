import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Address } from "viem";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { createClient, getQuote, type Quote } from "../../../src/client/index.ts";
import { type TestChain, testChain } from "../../helpers/emulatorFixture.ts";
import { readOut, type SpawnedEmulator, spawnEmulator } from "../../helpers/processes/spawnEmulator.ts";
import type { StoreKind } from "../../helpers/processes/stores.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";
import { ether, fresh, orderIdOf } from "../../helpers/requests/failureStage.ts";

/** Time limit of the start of two emulators, in milliseconds. */
export const startMs = 60_000;

/** A bridge with a quote. */
export type SharedIntent = { readonly quote: Quote; readonly recipient: Address; readonly from: TestChain };

/** Emulators in processes of their own, over one database and the same two chains. */
export type SharedEmulators = {
  readonly spawned: SpawnedEmulator[];
  readonly infos: readonly EmulatorInfo[];
  chains(): readonly [TestChain, TestChain];
  /** URL of the database of the present test. */
  databaseUrl(): string;
  clientOf(index: number): ReturnType<typeof createClient>;
  /** Sends an admin request to one of the emulators; resolves with the answer's body. */
  admin(index: number, method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  /** Starts another emulator, with these flags in addition to those of chains and database. */
  start(...flags: readonly string[]): Promise<number>;
  /** Requests quotes from both in turn, in both directions. */
  quotes(count: number): Promise<readonly SharedIntent[]>;
  /** Pays for all requests: each user one at a time, all users in parallel. */
  payAll(intents: readonly SharedIntent[]): Promise<void>;
};

/**
 * Starts two emulators before each test of a suite, and ends all after it.
 *
 * @param always Flags of every emulator.
 */
export function useSharedEmulators(kind: StoreKind, ...always: readonly string[]): SharedEmulators {
  let folder: string;
  let elsewhere: StartedChains;
  let chains: readonly [TestChain, TestChain];
  let database: string;
  const spawned: SpawnedEmulator[] = [];
  const infos: EmulatorInfo[] = [];
  const start = async (...flags: readonly string[]) => {
    const where = elsewhere.chains.flatMap(({ definition, rpcUrl }) => [
      "--chain",
      `${definition.id}=${rpcUrl}`,
    ]);
    const out = join(folder, `${spawned.length}.json`);
    const common = ["--port", "0", "--db", database, "--out", out, "--quiet", ...where];
    const emulator = spawnEmulator([...common, ...always, ...flags]);
    spawned.push(emulator);
    return infos.push(await readOut(out, emulator, startMs)) - 1;
  };
  beforeEach(async function () {
    this.timeout(2 * startMs);
    folder = await mkdtemp(join(tmpdir(), "waybill-shared-"));
    elsewhere = await startChains({ chainPorts: [0, 0] });
    database = await kind.newUrl();
    // The first emulator deploys the contracts, which the second one finds.
    await start();
    await start();
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
  const clientOf = (index: number) =>
    createClient({ baseUrl: infos[index % Math.max(1, infos.length)]?.apiUrl ?? "" });
  return {
    admin: async (index, method, path, body) => {
      const { adminKey, apiUrl } = infos[index] ?? { adminKey: "", apiUrl: "" };
      const answer = await fetch(`${apiUrl}/admin${path}`, {
        ...(body !== undefined && { body: JSON.stringify(body) }),
        headers: { "content-type": "application/json", "x-admin-key": adminKey },
        method,
      });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as Record<string, unknown>;
    },
    chains: () => chains,
    clientOf,
    databaseUrl: () => database,
    infos,
    payAll: async (intents) => {
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
    },
    quotes: async (count) => {
      const intents: SharedIntent[] = [];
      for (let index = 0; index < count; index++) {
        const [from, to] = index % 3 === 0 ? [chains[1], chains[0]] : chains;
        const recipient = fresh();
        const intent = bridgeIntent(
          { alpha: from, beta: to },
          { amount: ether + BigInt(index), recipient, user: from.wallet(index % 8).account.address },
        );
        const quote = await getQuote(clientOf(index), intent);
        intents.push({ from, quote, recipient });
      }
      return intents;
    },
    spawned,
    start,
  };
}
