import { toHex } from "viem";
import * as z from "zod";
import type { Context } from "../Context.ts";
import type { Chain } from "../chains/Chain.ts";
import { latestHead } from "../chains/rpc.ts";
import { loadSetting, saveSetting } from "../store/settings.ts";
import { ControlRefusedError } from "./ControlRefusedError.ts";

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
  /** Whether it says something else than the time outside. */
  isSet(): boolean;
  /** Brings chains to the clock's time, with a block where they are behind. */
  align(chains: Iterable<Chain>): Promise<void>;
  /** Has it tell the chains its time from now on, as long as it is frozen; returns what ends that. */
  follow(chains: Iterable<Chain>): () => void;
  /** Sets it to what it said at an earlier moment, or to the time outside. */
  restore(reading: ClockReading | undefined): Promise<void>;
};

const settingKey = "clock";
const stateSchema = z.object({ frozenAt: z.number().optional(), offset: z.number() });
/** Year 9999: what comes later does not fit into dates. */
const latest = 253_402_300_799_000;

/** Opens the clock of a database: one that was set or stopped stays so. */
export async function openClock(base: () => number, { store }: Pick<Context, "store">): Promise<OpenedClock> {
  let state: z.output<typeof stateSchema> = (await loadSetting(store, settingKey, stateSchema)) ?? {
    offset: 0,
  };
  let chains: readonly Chain[] = [];
  const now = () => state.frozenAt ?? base() + state.offset;
  const read = (): ClockReading => ({ isFrozen: state.frozenAt !== undefined, now: now() });
  const save = () => saveSetting(store, settingKey, state);
  const goTo = async (time: number): Promise<ClockReading> => {
    if (!Number.isSafeInteger(time) || time > latest) {
      throw new ControlRefusedError("The clock does not go that far.");
    }
    if (time < now()) {
      throw new ControlRefusedError(`The clock does not go backwards: it is ${now()} already.`);
    }
    state = state.frozenAt === undefined ? { offset: time - base() } : { ...state, frozenAt: time };
    await save();
    await align(chains);
    return read();
  };
  const align = async (those: Iterable<Chain>) => {
    await Promise.all([...those].map((chain) => bringTo(chain, now())));
  };
  return {
    advance: (milliseconds) => goTo(now() + milliseconds),
    align,
    follow: (those) => {
      chains = [...those];
      const ends = chains.map((chain) =>
        chain.onBlock((head) => {
          if (state.frozenAt === undefined) return;
          const seconds = BigInt(Math.floor(state.frozenAt / 1_000));
          // A chain that is gone or cannot be told keeps its own time.
          tellNext(chain, seconds > head.timestamp ? seconds : head.timestamp).catch(() => undefined);
        }),
      );
      return () => {
        for (const end of ends) end();
        chains = [];
      };
    },
    freeze: async () => {
      state = { ...state, frozenAt: now() };
      await save();
      await align(chains);
      return read();
    },
    isSet: () => state.frozenAt !== undefined || state.offset !== 0,
    now,
    read,
    restore: async (reading) => {
      if (reading === undefined) state = { offset: 0 };
      else if (reading.isFrozen) state = { frozenAt: reading.now, offset: reading.now - base() };
      else state = { offset: reading.now - base() };
      await save();
      await align(chains);
    },
    resume: async () => {
      state = { offset: now() - base() };
      await save();
      await align(chains);
      return read();
    },
    set: goTo,
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
    throw new ControlRefusedError(`${chain.definition.name} cannot be told the time.`, cause);
  }
}

async function tellNext(chain: Chain, seconds: bigint): Promise<void> {
  await chain.rpc("evm_setNextBlockTimestamp", [toHex(seconds)]);
}
