import type { Hex } from "viem";
import type { Quote } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { postJson } from "../quotes/bridgeIntent.ts";
import { lastTransaction } from "../quotes/intents.ts";
import { idOf } from "./failureStage.ts";

/** Names the transaction of a same-chain request, and returns the status of the answer. */
export async function nameTransaction(
  { alpha, emulator }: Pick<EmulatorFixture, "alpha" | "emulator">,
  quote: Quote,
  txHash: Hex,
): Promise<number> {
  const tx = JSON.stringify({ to: lastTransaction(quote).to, txHash });
  const body = { chainId: alpha.info.id, requestId: idOf(quote), tx };
  return (await postJson(`${emulator.info.apiUrl}/transactions/single`, body)).status;
}
