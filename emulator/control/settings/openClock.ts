import { toHex } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { Chain } from "../../chains/Chain.ts";
import { latestHead } from "../../chains/rpc.ts";
import { latestTime } from "../../chains/startTime.ts";
import type { Context } from "../../context/Context.ts";
import { ControlRefusedError } from "../../errors/ControlRefusedError.ts";
import { openSetting } from "../../store/openSetting.ts";

/** What the clock says. */
export type ClockReading = {
  /** Unix milliseconds. */
  readonly now: number;
  readonly isFrozen: boolean;
};

/**
 * One clock for the API and the chains. It goes forwards only, but for {@link OpenedClock.restore}.
 *
 * Chains count whole seconds, each block is at least as late as the one before, and a frozen clock is told to them anew at
 * each block: of two blocks that are mined at once, the second may be a second late.
 */
export type Clock = {
  read(): ClockReading;
  /** @throws ControlRefusedError when that is in the past. */
  set(now: number): Promise<ClockReading>;
  advance(milliseconds: number): Promise<ClockReading>;
  /** Stops it; it can still be set and advanced. */
  freeze(): Promise<ClockReading>;
  /** Lets it go on from where it stopped. */
  resume(): Promise<ClockReading>;
};

export type OpenedClock = Clock & {
  readonly now: () => number;
  /** Whether this start set it; a start that asks for the same time as the one before goes on from there. */
  readonly isNewStart: boolean;
  /** Whether it says something else than the time outside. */
  isSet(): boolean;
  /** Brings chains to the clock's time, with a block where they are behind. */
  align(chains: Iterable<Chain>): Promise<void>;
  /** Has it tell the chains its time from now on, as long as it is frozen; returns what ends that. */
  follow(chains: Iterable<Chain>): () => void;
  /** Reads it again, after something else has changed the database. */
  reload(): Promise<void>;
  /** Sets it to what it said at an earlier moment; or to the time outside, which a start may have moved. */
  restore(reading: ClockReading | undefined): Promise<void>;
};

const startSchema = z.object({ asked: z.number(), offset: z.number() });
const stateSchema = z.object({
  frozenAt: z.number().optional(),
  offset: z.number(),
  /** The time that a start asked for, and the offset that it had then. */
  start: startSchema.optional(),
});
type State = z.output<typeof stateSchema>;

/**
 * Opens the clock of a database: one that was set or stopped stays so.
 *
 * @param start Unix milliseconds to start at. The same start over the same database goes on from where the clock was.
 * @throws InvalidParameterError when the database has records of a later time.
 */
export async function openClock(
  outside: () => number,
  { start, store }: Pick<Context, "store"> & { readonly start?: number | undefined },
): Promise<OpenedClock> {
  const { base, reach } = forwards(outside);
  const setting = await openSetting<typeof stateSchema>({
    initial: { offset: 0 },
    key: "clock",
    schema: stateSchema,
    store,
  });
  const isNewStart = start !== undefined && setting.get().start?.asked !== start;
  if (isNewStart) {
    await assertNothingLater(store, start);
    const offset = start - base();
    await setting.change(() => ({ offset, start: { asked: start, offset } }));
  }
  const last = await lastRecord(store);
  // The machine's clock may have been set back since the run before.
  if (last !== undefined) reach(last - setting.get().offset);
  const origin = setting.get().start;
  let chains: readonly Chain[] = [];
  const timeOf = ({ frozenAt, offset }: State) => frozenAt ?? base() + offset;
  const now = () => timeOf(setting.get());
  const read = (): ClockReading => ({ isFrozen: setting.get().frozenAt !== undefined, now: now() });
  const change = async (next: (state: State) => State): Promise<ClockReading> => {
    await setting.change((state) => ({ ...next(state), ...(origin && { start: origin }) }));
    await align(chains);
    return read();
  };
  /** As late as `time` says, which the present time may be needed for. */
  const goTo = (time: (now: number) => number) =>
    change((state) => {
      const present = timeOf(state);
      const wanted = time(present);
      if (!Number.isSafeInteger(wanted) || wanted > latestTime) {
        throw new ControlRefusedError("The clock does not go that far.");
      }
      if (wanted < present) {
        throw new ControlRefusedError(`The clock does not go backwards: it is ${present} already.`);
      }
      return state.frozenAt === undefined ? { offset: wanted - base() } : { ...state, frozenAt: wanted };
    });
  const align = async (those: Iterable<Chain>) => {
    await Promise.all([...those].map((chain) => bringTo(chain, now())));
  };
  return {
    advance: (milliseconds) => goTo((present) => present + milliseconds),
    align,
    follow: (those) => {
      chains = [...those];
      const ends = chains.map((chain) =>
        chain.onBlock((head) => {
          const { frozenAt } = setting.get();
          if (frozenAt === undefined) return;
          const seconds = BigInt(Math.floor(frozenAt / 1_000));
          // A chain that is gone or cannot be told keeps its own time.
          tellNext(chain, seconds > head.timestamp ? seconds : head.timestamp).catch(() => undefined);
        }),
      );
      return () => {
        for (const end of ends) end();
        chains = [];
      };
    },
    freeze: () => change((state) => ({ ...state, frozenAt: timeOf(state) })),
    isNewStart,
    isSet: () => setting.get().frozenAt !== undefined || setting.get().offset !== 0,
    now,
    read,
    reload: setting.reload,
    restore: async (reading) => {
      await change(() => {
        if (reading === undefined) return { offset: origin?.offset ?? 0 };
        const offset = reading.now - base();
        return reading.isFrozen ? { frozenAt: reading.now, offset } : { offset };
      });
    },
    resume: () => change((state) => ({ offset: timeOf(state) - base() })),
    set: (time) => goTo(() => time),
  };
}

/** What happened stays in the past. */
async function assertNothingLater(store: Context["store"], start: number): Promise<void> {
  const last = await lastRecord(store);
  if (last === undefined || last <= start) return;
  const at = new Date(last).toISOString();
  const reason = `the database has records of ${at}: start later, or empty it (\`reset\`)`;
  throw new InvalidParameterError({ parameter: "now", reason });
}

/** The latest time that the database tells of. Requests log each change, and the control all that it did. */
async function lastRecord(store: Context["store"]): Promise<number | undefined> {
  const times: number[] = [];
  for (const table of ["events", "control_log"] as const) {
    const last = await store
      .selectFrom(table)
      .select("at")
      .orderBy("seq", "desc")
      .limit(1)
      .executeTakeFirst();
    if (last !== undefined) times.push(Number(last.at));
  }
  return times.length === 0 ? undefined : Math.max(...times);
}

/** A clock that goes on from where it was when the machine's is set back, and from the latest time that it was made to reach. */
function forwards(outside: () => number) {
  let skew = 0;
  let last = Number.NEGATIVE_INFINITY;
  return {
    base: () => {
      const time = outside() + skew;
      if (time < last) {
        skew += last - time;
        return last;
      }
      last = time;
      return time;
    },
    reach: (time: number) => {
      last = Math.max(last, time);
    },
  };
}

/** Has a chain's time go on from `now` (unix milliseconds), unless it is later there already. */
async function bringTo(chain: Chain, now: number): Promise<void> {
  const head = await latestHead(chain.rpc);
  const seconds = BigInt(Math.floor(now / 1_000));
  if (seconds < head.timestamp) return;
  try {
    await tellNext(chain, seconds);
    // The block makes the time visible to whoever asks the chain, and its own clock go on from there.
    await chain.rpc("evm_mine");
  } catch (cause) {
    // A later block may have come in between: another process sets the clock, too, or somebody pays.
    const later = await latestHead(chain.rpc).catch(() => head);
    if (later.timestamp > head.timestamp && later.timestamp >= seconds) return;
    throw new ControlRefusedError(`${chain.definition.name} cannot be told the time.`, cause);
  }
}

async function tellNext(chain: Chain, seconds: bigint): Promise<void> {
  await chain.rpc("evm_setNextBlockTimestamp", [toHex(seconds)]);
}
