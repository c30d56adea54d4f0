import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import type { NetworkHelpers } from "@nomicfoundation/hardhat-network-helpers/types";

/** Adversaries of every path that moves money. */
export const adversaries = [
  "missing return",
  "returns false",
  "fee on transfer",
  "rebasing",
  "USDT-style approve",
  "blocklist",
  "reverts on zero",
  "returns too much",
  "reentrant token",
  "reentrant payee",
  "gas-burning payee",
  "returndata bomb",
  "payee that rejects ether",
  "contract without code",
  "self-destructing payee",
] as const;

export type Adversary = (typeof adversaries)[number];

/** A local chain of its own. */
export interface Chain {
  readonly ethers: HardhatEthers;
  readonly networkHelpers: NetworkHelpers<"l1">;
}

/** A checked outcome of a path against an adversary; the title states it. */
export interface Meeting {
  readonly does: string;
  check(chain: Chain): Promise<void>;
}

/** The reason why a path cannot meet an adversary. */
export interface NotApplicable {
  readonly reason: string;
}

export type Cell = readonly Meeting[] | NotApplicable;

export function isMeeting(cell: Cell): cell is readonly Meeting[] {
  return Array.isArray(cell);
}

/** A path of money through a receiver. `function` is its name in the ABI. */
export interface Path {
  readonly contract: string;
  readonly function: string;
  /** Distinguishes the paths of one function. */
  readonly variant?: string;
  readonly cells: Readonly<Record<Adversary, Cell>>;
}

export function nameOf(path: Path): string {
  const variant = path.variant === undefined ? "" : ` of ${path.variant}`;
  return `${path.contract}.${path.function}${variant}`;
}

/** Declares one test for every nonempty cell, each from the same chain state. */
export function describePaths(chain: Chain, paths: readonly Path[]): void {
  for (const path of paths) {
    describe(nameOf(path), () => {
      let pristine: Awaited<ReturnType<Chain["networkHelpers"]["takeSnapshot"]>> | undefined;

      beforeEach(async () => {
        pristine = await chain.networkHelpers.takeSnapshot();
      });

      afterEach(async () => {
        await pristine?.restore();
      });

      for (const adversary of adversaries) {
        const cell = path.cells[adversary];
        if (!isMeeting(cell)) continue;
        for (const { does, check } of cell) it(`with ${adversary}: it ${does}`, async () => check(chain));
      }
    });
  }
}
