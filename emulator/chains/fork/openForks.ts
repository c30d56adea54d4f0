import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { ChainDefinition, Fork } from "../chainDefinitions.ts";
import { openUpstream, type Upstream, type UpstreamParameters } from "./openUpstream.ts";
import { publicDefinition } from "./publicChains.ts";

/** Forks whose upstreams are open. */
export type OpenedForks = {
  readonly definitions: readonly ChainDefinition[];
  /** Runs the start of the forks. @throws ForkUpstreamError for a start that failed because an upstream did. */
  during<Result>(start: () => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
};

type OpenForksParameters = {
  readonly forks: readonly Fork[];
  readonly upstream?: UpstreamParameters | undefined;
  /** Ids of the other chains. */
  readonly takenIds: readonly number[];
  /** Start of the chains in unix milliseconds. @default the machine's time */
  readonly startAt: number | undefined;
};

/** Opens the upstreams of forks. */
export async function openForks({
  forks,
  startAt,
  takenIds,
  upstream,
}: OpenForksParameters): Promise<OpenedForks> {
  const ids = [...takenIds, ...forks.map(({ id }) => id)];
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice !== undefined) {
    throw new InvalidParameterError({ parameter: "forks", reason: `two chains have the id ${twice}` });
  }
  const settled = await Promise.allSettled(forks.map((fork) => openUpstream(fork, upstream)));
  const opened = settled.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const close = async () => {
    await Promise.all(opened.map((each) => each.close()));
  };
  try {
    for (const each of settled) if (each.status === "rejected") throw each.reason;
    const definitions = opened.map((each, index) => {
      const { engine = "hardhat", id = 0 } = forks[index] ?? {};
      assertNotLater(id, each, startAt);
      return { ...publicDefinition(id), fork: { block: each.block, engine, url: each.url } };
    });
    return {
      close,
      definitions,
      during: async (start) => {
        try {
          return await start();
        } catch (error) {
          throw opened.map((each) => each.failure()).find((failure) => failure !== undefined) ?? error;
        }
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function assertNotLater(id: number, { block, time }: Upstream, startAt: number | undefined): void {
  if (startAt === undefined || time <= startAt) return;
  const reason = `block ${block} of chain ${id} is of ${new Date(time).toISOString()}, and its time does not go back`;
  throw new InvalidParameterError({ parameter: "now", reason });
}
