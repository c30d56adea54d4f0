import { toHex } from "viem";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import type { CorsOrigins } from "../../access/hostRule.ts";
import { deriveAccounts, testMnemonic, unlockedKeys } from "../accounts.ts";
import type { RunningChain } from "../Chain.ts";
import type { ChainDefinition } from "../chainDefinitions.ts";
import { connectChain } from "../evm/connectChain.ts";
import { startAnvil } from "../fork/startAnvil.ts";

/** Limit of an answer in milliseconds: a call may read hundreds of words from a slow upstream. */
const answerMs = 120_000;

type ForkByAnvilParameters = {
  readonly cors: CorsOrigins | undefined;
  readonly hostname: string;
  readonly port: number;
  /** Unix milliseconds of the first block. @default the machine's time */
  readonly startAt: number | undefined;
};

/** Starts a fork in a process of anvil, with the test mnemonic's accounts unlocked. */
export async function forkByAnvil(
  definition: ChainDefinition,
  { cors = true, hostname, port, startAt = Date.now() }: ForkByAnvilParameters,
): Promise<RunningChain> {
  const { fork, id, name } = definition;
  if (fork === undefined) throw new Error(`${name} is no fork`);
  const { close, rpcUrl } = await startAnvil([
    ...["--host", hostname, "--port", String(port), "--chain-id", String(id), "--hardfork", "prague"],
    ...["--fork-url", fork.url, "--fork-block-number", String(fork.block)],
    // The upstream's server repeats, limits and keeps requests.
    ...["--no-rate-limit", "--no-storage-caching", "--retries", "0", "--timeout", String(answerMs)],
    ...["--accounts", String(unlockedKeys(deriveAccounts()).length), "--mnemonic", testMnemonic],
    // The order of arrival, as on chains in this process.
    ...["--order", "fifo"],
    ...corsFlags(cors),
  ]);
  const closeOnFailure = async (error: unknown): Promise<never> => {
    await close();
    throw error;
  };
  const chain = await connectChain({ id, name, rpcUrl, timeoutMs: answerMs }).catch(closeOnFailure);
  const closeBoth = async () => {
    await chain.close();
    await close();
  };
  // Anvil goes on from the time of the forked block.
  await chain.rpc("evm_setNextBlockTimestamp", [toHex(Math.floor(startAt / 1_000))]).catch(closeOnFailure);
  await chain.rpc("evm_mine").catch(closeOnFailure);
  return { ...chain, close: closeBoth, definition };
}

function corsFlags(cors: CorsOrigins): readonly string[] {
  if (cors === true) return [];
  if (cors === false || cors.length === 0) return ["--no-cors"];
  const [origin] = cors;
  if (cors.length > 1 || origin === undefined) {
    throw new InvalidParameterError({ parameter: "cors", reason: "a fork by anvil allows one origin" });
  }
  return ["--allow-origin", origin];
}
