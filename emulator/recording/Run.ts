import type { ChainPace } from "../chains/local/ChainPace.ts";
import type { Input } from "./Recording.ts";

/** What a run needs of the running emulator. */
export type Stageable = {
  /** Waits until nothing more happens, and describes the state. */
  readonly settle: () => Promise<string>;
  /** Carries out an input and describes its answer. */
  readonly perform: (input: Input) => Promise<unknown>;
};

/** A run whose inputs come one after the other, each at a time of its own. */
export type Run = {
  readonly seed: string;
  /** Start of the clock in Unix milliseconds. */
  readonly startAt: number;
  /** Address that links begin with. @param apiUrl Address of this run's API. */
  siteUrl(apiUrl: string): string;
  /** Unix milliseconds. The time stands still until the next input. */
  now(): number;
  readonly pace: ChainPace;
  /** Runs an input after everything that came before it has settled. `describe` gives the recorded part of its answer. */
  admit<Answer>(
    input: Input,
    act: () => Promise<Answer>,
    describe: (answer: Answer) => unknown,
  ): Promise<Answer>;
  /** Begins with the running emulator. */
  begin(running: Stageable): Promise<void>;
  /** Ends the run after its last input. */
  close(): Promise<void>;
};
