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

/**
 * Starts an emulator before a suite's tests, or before each test, and stops it afterwards.
 *
 * @param options.database Names the database of each start.
 * @returns The running emulator; reading it before the start throws.
 */
export function useEmulator(
  parameters: StartEmulatorParameters = {},
  { database, each = false }: { database?: () => Promise<string>; each?: boolean } = {},
): EmulatorFixture {
  let started: EmulatorFixture | undefined;
  const running = () => {
    if (started === undefined) throw new Error("no emulator runs");
    return started;
  };
  const start = async () => {
    started = await startFixture({ ...parameters, ...(database && { database: await database() }) });
  };
  const stop = async () => {
    await started?.stop();
    started = undefined;
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
    stop,
  };
}
