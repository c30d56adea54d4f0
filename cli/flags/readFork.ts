import { InvalidArgumentError } from "commander";
import type { Fork } from "../../emulator/index.ts";

/** Names of the chains that the emulator has addresses of. */
const ids: Readonly<Record<string, number>> = { arbitrum: 42_161, base: 8_453, ethereum: 1, optimism: 10 };

/** Parses a fork flag `chain=url[@block]`, and appends it to those of earlier flags. */
export function readFork(value: string, before: readonly Fork[] = []): readonly Fork[] {
  const match = /^(\d{1,15}|[a-z]+)=(https?:\/\/\S+?)(?:@(\d{1,15}))?$/.exec(value);
  const [, chain = "", rpcUrl, block] = match ?? [];
  const id = ids[chain] ?? Number(chain);
  if (rpcUrl === undefined || !Number.isInteger(id) || id < 1) {
    throw new InvalidArgumentError(
      `A fork is a chain's id or name (${Object.keys(ids).join(", ")}), the address of a node and perhaps a block, as in ethereum=https://node.example@23000000.`,
    );
  }
  return [...before, { id, rpcUrl, ...(block !== undefined && { block: Number(block) }) }];
}
