import { toHex } from "viem";
import * as z from "zod";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { Chain } from "../../chains/Chain.ts";
import { latestHead } from "../../chains/rpc.ts";
import { latestTime } from "../../chains/startTime.ts";
import type { Context } from "../../context/Context.ts";
import { ControlRefusedError } from "../../errors/refusals.ts";
import { openSetting } from "../../store/openSetting.ts";

export type ClockReading = {
  /** Unix milliseconds. */
  readonly now: number;
  readonly isFrozen: boolean;
};

/**
 * One clock for the API and the chains. It only goes forward, except by {@link OpenedClock.restore}. Chains count whole
 * seconds. A frozen clock is set on a chain again after each block, so the second of two blocks mined at once may be
 * one second late.
 */
export type Clock = {
  read(): ClockReading;
  /** Sets the clock to Unix milliseconds. @throws ControlRefusedError for a time in the past. */
  set(now: number): Promise<ClockReading>;
  advance(milliseconds: number): Promise<ClockReading>;
  /** Stops the clock; it can still be set and advanced. */
  freeze(): Promise<ClockReading>;
  /** Continues a frozen clock from its time. */
  resume(): Promise<ClockReading>;
};

export type OpenedClock = Clock & {
  readonly now: () => number;
  /** Whether this start set the clock. A start at the same time as the previous one continues instead. */
  readonly isNewStart: boolean;
  /** Whether the clock is frozen or differs from the underlying clock. */
  isSet(): boolean;
  /** Mines a block at the clock's time on each chain that is earlier. */
  align(chains: Iterable<Chain>): Promise<void>;
  /** Sets a frozen clock's time on the chains after each block. @returns A function that ends this. */
  follow(chains: Iterable<Chain>): () => void;
  /** Reloads the clock after a change of the database by others. */
  reload(): Promise<void>;
  /** Sets the clock back to an earlier reading; without one, to the underlying clock plus the offset of the start. */
  restore(reading: ClockReading | undefined): Promise<void>;
};

const startSchema = z.object({ asked: z.number(), offset: z.number() });
const stateSchema = z.object({
  frozenAt: z.number().optional(),
  offset: z.number(),
  /** Time requested by a start, and the resulting offset. */
  start: startSchema.optional(),
});
type State = z.output<typeof stateSchema>;

/** Opens the clock of a database. A clock that was set or frozen stays so. */
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
  // The system clock may have been set back since the previous run.
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
  /** Moves the clock to the time that `time` returns for the present one. */
  const goTo = (time: (now: number) => number) =>
    change((state) => {
      const present = timeOf(state);
      const wanted = time(present);
      if (!Number.isSafeInteger(wanted) || wanted > latestTime) {
        throw new ControlRefusedError("The clock ends with the year 9999 and takes whole milliseconds.");
      }
      if (wanted < present) {
        throw new ControlRefusedError(`The clock does not go backwards: the time is ${present}.`);
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
          // A chain that is unreachable or rejects the method keeps its own time.
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

/** Rejects a start before the latest record. */
async function assertNothingLater(store: Context["store"], start: number): Promise<void> {
  const last = await lastRecord(store);
  if (last === undefined || last <= start) return;
  const at = new Date(last).toISOString();
  const reason = `the database has records of ${at}: start later, or empty it (\`reset\`)`;
  throw new InvalidParameterError({ parameter: "now", reason });
}

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

/** A clock that never goes back: it continues from its latest reading, or from a time passed to `reach`. */
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

/** Moves a chain's time to `now` (Unix milliseconds), unless the chain is later already. */
async function bringTo(chain: Chain, now: number): Promise<void> {
  const head = await latestHead(chain.rpc);
  const seconds = BigInt(Math.floor(now / 1_000));
  if (seconds < head.timestamp) return;
  try {
    await tellNext(chain, seconds);
    // The block makes the time visible to readers, and the node's clock continues from it.
    await chain.rpc("evm_mine");
  } catch (cause) {
    // A later block may have been mined meanwhile, by another process that sets the clock or by a transaction.
    const later = await latestHead(chain.rpc).catch(() => head);
    if (later.timestamp > head.timestamp && later.timestamp >= seconds) return;
    throw new ControlRefusedError(`The time of ${chain.definition.name} cannot be set.`, cause);
  }
}

async function tellNext(chain: Chain, seconds: bigint): Promise<void> {
  await chain.rpc("evm_setNextBlockTimestamp", [toHex(seconds)]);
}
