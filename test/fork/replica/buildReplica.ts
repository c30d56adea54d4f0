import { createBuilder } from "./createBuilder.ts";
import { openNode } from "./openNode.ts";
import { placeAave } from "./placeAave.ts";
import { placeFactories } from "./placeFactories.ts";
import { placeSafe } from "./placeSafe.ts";
import { placeTokens } from "./placeTokens.ts";
import { placeUniswapV2, placeUniswapV3 } from "./placeUniswap.ts";
import type { AccountState } from "./recordState.ts";

/** Time of the build: before every time at which a test can start the replica. */
const builtAt = Date.UTC(2024, 0, 1);

/** Deploys everything to an empty chain. @returns The accounts with code, and what they store. */
export async function buildReplica(): Promise<readonly AccountState[]> {
  const node = await openNode(builtAt);
  try {
    const builder = createBuilder(node.rpc);
    await placeFactories(builder);
    await placeTokens(builder);
    await placeUniswapV2(builder);
    await placeUniswapV3(builder);
    await placeAave(builder);
    await placeSafe(builder);
    return await builder.recorder.read();
  } finally {
    await node.close();
  }
}
