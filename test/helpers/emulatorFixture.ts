import { type Emulator, type StartEmulatorParameters, startEmulator } from "../../emulator/index.ts";
import { type Client, createClient } from "../../src/client/index.ts";
import { type TestChain, testChain } from "../../testing/TestChain.ts";
import { quickSleep } from "./quickSleep.ts";

export { type TestChain, testChain };

/** A running emulator with its client, chains and wallets. */
export type EmulatorFixture = {
  readonly emulator: Emulator;
  readonly client: Client;
  readonly alpha: TestChain;
  readonly beta: TestChain;
  stop(): Promise<void>;
};

// Tests that read version 2 of a record pass after its sunset, too.
const anyDate = { requestsV2Sunset: "never" };

/** Starts an emulator on free ports; errors of its log are collected, other lines dropped. */
export async function startFixture(parameters: StartEmulatorParameters = {}): Promise<EmulatorFixture> {
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, ...anyDate, ...parameters });
  const [alpha, beta] = emulator.info.chains.map(testChain);
  if (alpha === undefined || beta === undefined) throw new Error("the emulator has too few chains");
  const now = typeof parameters.now === "function" ? parameters.now : Date.now;
  return {
    alpha,
    beta,
    client: createClient({ baseUrl: emulator.info.apiUrl, now, sleep: quickSleep }),
    emulator,
    stop: () => emulator.stop(),
  };
}

/** An emulator that suites with the same parameters use one after the other. */
type Shared = { readonly key: string; readonly fixture: EmulatorFixture; isTaken: boolean };

const shared: Shared[] = [];

/** Key of parameters that two suites can share; undefined if their values or their database are the suite's own. */
function keyOf(parameters: StartEmulatorParameters, database: unknown): string | undefined {
  if (database !== undefined || "database" in parameters) return undefined;
  const isPlain = Object.values(parameters).every((value) => typeof value !== "function");
  return isPlain ? JSON.stringify(parameters) : undefined;
}

/** Takes a running emulator and resets it, or starts one. One that cannot be reset is replaced. */
async function take(key: string, parameters: StartEmulatorParameters): Promise<Shared> {
  const found = shared.find((each) => each.key === key && !each.isTaken);
  if (found !== undefined) {
    found.isTaken = true;
    try {
      await resetFixture(found.fixture);
      return found;
    } catch {
      await drop(found);
    }
  }
  const started = { fixture: await startFixture(parameters), isTaken: true, key };
  shared.push(started);
  return started;
}

/** Returns the chains and the service to their start. Automatic mining is no state that a chain restores. */
async function resetFixture({ alpha, beta, emulator }: EmulatorFixture): Promise<void> {
  for (const { reader } of [alpha, beta]) {
    await reader.request({ method: "evm_setAutomine", params: [true] } as never);
  }
  // Throws if a test stopped it.
  await fetch(emulator.info.apiUrl);
  await emulator.control.reset();
  // A node announces a block, and no return to an earlier one.
  for (const { reader } of [alpha, beta]) await reader.request({ method: "evm_mine" } as never);
}

async function drop(each: Shared): Promise<void> {
  shared.splice(shared.indexOf(each), 1);
  await each.fixture.stop();
}

// Processes that tests start have no hooks. A worker of Stryker runs the tests again for each mutant, and keeps its emulators.
if (typeof after === "function" && process.env["STRYKER_MUTATOR_WORKER"] === undefined) {
  after("stop the shared emulators", async () => {
    for (const each of [...shared]) await drop(each);
  });
}

/**
 * Gives a suite, or each of its tests, an emulator in its first state. Suites with the same parameters share one, which is
 * reset in between.
 *
 * @param options.database Names the database of each start.
 * @returns The running emulator; reading it before the start throws.
 */
export function useEmulator(
  parameters: StartEmulatorParameters = {},
  { database, each = false }: { database?: () => Promise<string>; each?: boolean } = {},
): EmulatorFixture {
  const key = keyOf(parameters, database);
  let started: EmulatorFixture | undefined;
  let taken: Shared | undefined;
  const running = () => {
    if (started === undefined) throw new Error("no emulator runs");
    return started;
  };
  const start = async () => {
    if (key !== undefined) taken = await take(key, parameters);
    started =
      taken?.fixture ??
      (await startFixture({ ...parameters, ...(database && { database: await database() }) }));
  };
  const stop = async () => {
    if (taken === undefined) await started?.stop();
    else taken.isTaken = false;
    [started, taken] = [undefined, undefined];
  };
  const end = async () => {
    if (taken === undefined) await started?.stop();
    else await drop(taken);
    [started, taken] = [undefined, undefined];
  };
  if (each) beforeEach("start the emulator", start);
  else before("start the emulator", start);
  if (each) afterEach("stop the emulator", stop);
  else after("stop the emulator", stop);
  return {
    get alpha() {
      return running().alpha;
    },
    get beta() {
      return running().beta;
    },
    get client() {
      return running().client;
    },
    get emulator() {
      return running().emulator;
    },
    stop: end,
  };
}
