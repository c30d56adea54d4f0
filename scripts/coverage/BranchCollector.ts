/** Records which sides of branches each test took, from the instrumented code's reports. */
import { type Branch, branchKey } from "./findBranches.ts";
import { sideTag, testTag } from "./instrumentBranches.ts";

/** How often a test took a side. A fuzz test may take it in only some of its runs. */
export type Taken = Readonly<Record<string, number>>;

export type CollectedSides = {
  /** By "contract.function: condition is side". Sides that no test took have no entry. */
  readonly sides: Readonly<Record<string, Taken>>;
  readonly runs: Taken;
};

/** Name for set-up and for calls of invariant campaigns, which belong to no test. */
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

  /** @param tests Names of the Solidity tests; `begin` passes those of TypeScript tests. */
  constructor(branches: readonly Branch[], tests: readonly string[]) {
    this.#sidesByTag = new Map(
      branches.flatMap((branch) =>
        branch.sides.map((side) => [sideTag(branch, side), sideName(branch, side)] as const),
      ),
    );
    this.#testsByTag = new Map(tests.map((name) => [testTag(name), name]));
  }

  /** Starts a TypeScript test, which owns the following reports. */
  begin(title: string): void {
    this.#title = title;
    count(this.#runs, title);
  }

  end(): void {
    this.#title = NO_TEST;
  }

  /**
   * Counts the reports of a call or transaction for each of its tests. A test that calls another one reports both, in any
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
