import { InvalidArgumentError } from "commander";
import type { ExternalChain } from "../../emulator/index.ts";

/** Parses a chain flag `id=url`, and appends it to those of earlier flags. */
export function readChain(value: string, before: readonly ExternalChain[] = []): readonly ExternalChain[] {
  const match = /^(\d{1,15})=(https?:\/\/\S+)$/.exec(value);
  const [, id, rpcUrl] = match ?? [];
  if (id === undefined || rpcUrl === undefined) {
    throw new InvalidArgumentError(
      "A chain is its id and the address of a node, as in 31337=http://127.0.0.1:8545.",
    );
  }
  return [...before, { id: Number(id), rpcUrl }];
}
