import { expect } from "chai";
import { loadChainRecord } from "../../../emulator/chains/chainRecords.ts";
import type { ExternalChain } from "../../../emulator/chains/evm/connectChain.ts";
import { type StartedChains, startChains } from "../../../emulator/chains/local/startChains.ts";
import {
  type Emulator,
  StoreChainMismatchError,
  StoreLockedError,
  startEmulator,
} from "../../../emulator/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { postgresServer } from "../../helpers/processes/postgresServer.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

forEachStore("the first start of replicas over an empty database", (kind) => {
  if (!kind.isShared) return;
  let elsewhere: StartedChains;
  const emulators: Emulator[] = [];
  beforeEach(async () => {
    elsewhere = await startChains({ chainPorts: [0, 0] });
  });
  afterEach(async () => {
    for (const emulator of emulators.splice(0)) await emulator.stop();
    await elsewhere.close();
  });

  async function start(
    database: string,
    chains?: readonly ExternalChain[],
    reset = false,
  ): Promise<Emulator> {
    const local = chains === undefined ? { chainPorts: [0, 0] } : { chains };
    const emulator = await startEmulator({ database, port: 0, reset, ...local });
    emulators.push(emulator);
    return emulator;
  }
  const external = () => elsewhere.chains.map(({ definition: { id }, rpcUrl }) => ({ id, rpcUrl }));

  it("three replicas that start together with reset: one empties the database and runs, the others are rejected", async () => {
    const database = await kind.newUrl();
    const former = await start(database, external());
    await former.stop();
    const outcomes = await Promise.allSettled(
      [0, 100, 400].map(async (delay) => {
        await pause(delay);
        return start(database, external(), true);
      }),
    );
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).to.have.length(2);
    for (const error of refused) expect(error).to.be.instanceOf(StoreLockedError);
    const [running] = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const { store } = await kind.open(database);
    for (const { contracts, id } of running?.info.chains ?? []) {
      expect((await loadChainRecord(store, id))?.contracts).to.deep.equal(contracts);
      expect(former.info.chains.find((each) => each.id === id)?.contracts).to.not.deep.equal(contracts);
    }
  });

  it("a reset while a replica runs is rejected and deletes nothing, even after its connections were cut", async () => {
    const database = await kind.newUrl();
    const running = await start(database, external());
    const records = async () => {
      const { close, store } = await kind.open(database);
      const found = await Promise.all(external().map(({ id }) => loadChainRecord(store, id)));
      await close();
      return found;
    };
    const before = await records();
    const refuse = async () => {
      const error = await failureOf(start(database, external(), true));
      expect(error).to.be.instanceOf(StoreLockedError);
      expect(String(error)).to.include("--reset").and.include("another process");
      expect(await records()).to.deep.equal(before);
    };
    await refuse();
    await (await postgresServer()).cutConnections(database);
    await pause(1_000);
    await refuse();
    await running.stop();
    await (await start(database, external(), true)).stop();
    expect(await records()).to.not.deep.equal(before);
  });

  it("a second process with local chains of its own is rejected, and the record of the first stays", async () => {
    const database = await kind.newUrl();
    const outcomes = await Promise.allSettled([start(database), start(database)]);
    const refused = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    expect(refused).to.have.length(1);
    expect(refused[0]).to.be.instanceOf(StoreChainMismatchError);
  });
});
