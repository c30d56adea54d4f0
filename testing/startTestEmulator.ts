import type { Hex } from "viem";
import { type Emulator, startEmulator } from "../emulator/startEmulator.ts";
import type { StartEmulatorParameters } from "../emulator/startParameters.ts";
import { createClient } from "../src/client/createClient.ts";
import type { Client } from "../src/client/internal/Client.ts";
import { InvalidParameterError } from "../src/errors/InvalidParameterError.ts";
import type { Quote } from "../src/schema/quote/quote.ts";
import { type FixtureLoader, fixtureLoader } from "./fixtureLoader.ts";
import { stopAtEnd } from "./stopAtEnd.ts";
import { type TestChain, testChain } from "./TestChain.ts";
import { type TestRequest, testRequest } from "./TestRequest.ts";

/** Time of the API and of all chains at once, in Unix seconds. */
export type TestTime = {
  latest(): number;
  /** @returns The new time. */
  increase(seconds: number): Promise<number>;
  /** @throws ControlRefusedError for a time in the past. */
  increaseTo(timestamp: number): Promise<number>;
};

/** A running emulator with what tests need. */
export type TestEmulator = Emulator & {
  /** A client of the API, on the emulator's clock. */
  readonly client: Client;
  readonly chains: readonly TestChain[];
  /** The first chain. */
  readonly origin: TestChain;
  /** The second chain; the first if there is one alone. */
  readonly destination: TestChain;
  /** The request of a quote, or of an id: the subject of the matchers. */
  request(of: Hex | Pick<Quote, "steps">): TestRequest;
  /** Restores the state that a set-up function has led to; runs the function at its first use. */
  readonly loadFixture: FixtureLoader;
  readonly time: TestTime;
};

/** What {@link startTestEmulator} returns. */
export type StartTestEmulatorReturnType = Promise<TestEmulator>;

/**
 * Starts an emulator for tests, on free ports unless given. Under mocha and Node's test runner it stops at the end of the run, if
 * no test stopped it.
 *
 * @throws See `startEmulator`.
 *
 * @example
 * import { startTestEmulator } from "@waybill/emulator/testing";
 *
 * const emulator = await startTestEmulator();
 * console.log(emulator.origin.info.name, emulator.destination.info.name); // alpha beta
 * await emulator.stop();
 */
export async function startTestEmulator(
  parameters: StartEmulatorParameters = {},
): StartTestEmulatorReturnType {
  const emulator = await startEmulator({ port: 0, ...withFreePorts(parameters) });
  const chains = emulator.info.chains.map(testChain);
  const [origin, destination = origin] = chains;
  if (origin === undefined || destination === undefined) throw new Error("the emulator has no chain");
  const { clock } = emulator.control;
  const watched = await Promise.all(
    chains.map(async (chain) => ({ chain, fromBlock: (await chain.reader.getBlockNumber()) + 1n })),
  );
  const seconds = ({ now }: { now: number }) => Math.floor(now / 1_000);
  const running: TestEmulator = {
    ...emulator,
    chains,
    client: createClient({ baseUrl: emulator.info.apiUrl, now: () => clock.read().now }),
    destination,
    loadFixture: await fixtureLoader(emulator.control),
    origin,
    request: (of) => testRequest(emulator, watched, idOf(of)),
    time: {
      increase: async (by) => seconds(await clock.advance(by * 1_000)),
      increaseTo: async (timestamp) => seconds(await clock.set(timestamp * 1_000)),
      latest: () => seconds(clock.read()),
    },
  };
  // Looked up at the end, because the Hardhat plugin replaces it.
  await stopAtEnd(() => running.stop());
  return running;
}

/** Two runs at once must not meet on the default ports. */
function withFreePorts(parameters: StartEmulatorParameters): StartEmulatorParameters {
  const { chainCount, chainIds, chainPorts, chains, forks = [] } = parameters;
  if (chainPorts !== undefined || chains !== undefined) return parameters;
  const local = chainCount ?? chainIds?.length ?? (forks.length > 0 ? 1 : 2);
  return { ...parameters, chainPorts: Array.from({ length: local + forks.length }, () => 0) };
}

function idOf(of: Hex | Pick<Quote, "steps">): Hex {
  const id = typeof of === "string" ? of : of.steps.find(({ requestId }) => requestId)?.requestId;
  if (id !== undefined) return id.toLowerCase() as Hex;
  throw new InvalidParameterError({ parameter: "of", reason: "no step of the quote has a requestId" });
}
