import type { HardhatRuntimeEnvironmentHooks } from "hardhat/types/hooks";
import { startCollecting } from "../coverage/collecting.ts";

/** Wraps Hardhat's coverage storage, which has no hook for hits of Solidity tests. */
type HitKeeper = { addData(tags: string[]): Promise<void> };

function keeperOf(hre: object): HitKeeper {
  const keeper: unknown = "_coverage" in hre ? hre._coverage : undefined;
  const keeps = (value: unknown): value is HitKeeper =>
    typeof value === "object" && value !== null && "addData" in value && typeof value.addData === "function";
  if (!keeps(keeper)) throw new Error("Hardhat keeps its coverage elsewhere than it did: look for addData.");
  return keeper;
}

export default async (): Promise<Partial<HardhatRuntimeEnvironmentHooks>> => ({
  async created(context, hre) {
    if (!context.globalOptions.coverage) return;
    const collector = startCollecting();
    const keeper = keeperOf(hre);
    const addData = keeper.addData.bind(keeper);
    keeper.addData = async (tags) => {
      collector.add(tags);
      await addData(tags);
    };
  },
});
