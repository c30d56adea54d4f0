import { type Command, InvalidArgumentError } from "commander";
import { readUrl } from "../flags/readUrl.ts";

/** Flags of commands that work on one chain. */
export type NodeOptions = {
  readonly chain: number;
  readonly config?: string;
  readonly emulator?: string;
  readonly fromBlock?: bigint;
  readonly rpcUrl?: string;
};

/** Adds the flags that choose a chain and its node. */
export function withNode(command: Command): Command {
  return command
    .requiredOption("--chain <id>", "id of the chain; a node of another chain is refused", readChainId)
    .option("--rpc-url <url>", "the chain's node (default: that of --emulator or waybill.config.ts)", readUrl)
    .option("--emulator <file>", "take node and key from the file of `waybill emulator --out`")
    .option("--config <file>", "configuration file (default: waybill.config.ts, here or in a folder above)")
    .option("--from-block <number>", "first block to search for the contract's logs (default: 0)", readBlock);
}

function readChainId(value: string): number {
  if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("A chain id is a whole number above zero, such as 8453.");
}

function readBlock(value: string): bigint {
  if (/^\d{1,15}$/.test(value)) return BigInt(value);
  throw new InvalidArgumentError("A block is a whole number, such as 23000000.");
}
