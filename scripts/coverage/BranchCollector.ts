/** Notes which sides of branches were taken, and by which tests, from what the instrumented code reports. */
import { type Branch, branchKey } from "./findBranches.ts";
import { sideTag, testTag } from "./instrumentBranches.ts";

/** How often a test took a side: a fuzz test runs many times, and may take a side in some of its runs only. */
export type Taken = Readonly<Record<string, number>>;

export type CollectedSides = {
  /** By "contract.function: condition is side". Sides that no test took have no entry. */
  readonly sides: Readonly<Record<string, Taken>>;
  readonly runs: Taken;
};

/** Stands for set-up, and for the calls that invariants are tried with, which no one test makes. */
export const NO_TEST = "";

export function sideName(branch: Branch, side: string): string {
  return `${branchKey(branch)} is ${side}`;
}

export class BranchCollector {
  readonly #sidesByTag: ReadonlyMap<string, string>;
  readonly #testsByTag: ReadonlyMap<string, string>;
  readonly #sides = new Map<string, Map<string, number>>();
  readonly #runs = new Map<string, number>();
  #title = NO_TEST;

  /** @param tests The names of the Solidity tests; those of the others are said by `begin`. */
  constructor(branches: readonly Branch[], tests: readonly string[]) {
    this.#sidesByTag = new Map(
      branches.flatMap((branch) =>
        branch.sides.map((side) => [sideTag(branch, side), sideName(branch, side)] as const),
      ),
    );
    this.#testsByTag = new Map(tests.map((name) => [testTag(name), name]));
  }

  /** A TypeScript test begins: what is reported from now on is its doing. */
  begin(title: string): void {
    this.#title = title;
    count(this.#runs, title);
  }

  end(): void {
    this.#title = NO_TEST;
  }

  /**
   * Counts what one call or transaction reported, for each test in it: a test that calls another one reports both, in no
   * order.
   *
   * @param tags Each once.
   */
  add(tags: readonly string[]): void {
    const named = tags.flatMap((tag) => this.#testsByTag.get(tag) ?? []);
    for (const name of named) count(this.#runs, name);
    for (const tag of tags) {
      const side = this.#sidesByTag.get(tag);
      if (side === undefined) continue;
      const taken = this.#sides.get(side) ?? new Map<string, number>();
      for (const name of named.length === 0 ? [this.#title] : named) count(taken, name);
      this.#sides.set(side, taken);
    }
  }

  collected(): CollectedSides {
    const sides = [...this.#sides].map(([side, taken]) => [side, Object.fromEntries(taken)] as const);
    return { sides: Object.fromEntries(sides), runs: Object.fromEntries(this.#runs) };
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
