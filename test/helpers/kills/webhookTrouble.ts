import type { Answer } from "../../unit/emulator/webhooks/support/receiver.ts";
import type { Draws } from "../seededDraws.ts";

const longestMs = 20;
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Answers of an unreliable receiver of webhooks: one post in nine is rejected, its connection reset, or its answer
 * lost, whole or in part. The receiver has read each of these posts.
 */
export function troubleOf(draws: Draws): Answer {
  return async (response) => {
    await pause(draws.whole(0, longestMs));
    const trouble = draws.whole(1, 36);
    if (trouble === 1) response.writeHead(503).end();
    else if (trouble === 2) response.socket?.resetAndDestroy();
    else if (trouble === 3) response.socket?.destroy();
    else if (trouble === 4) {
      response.writeHead(200, { "content-length": 10 });
      response.write("half", () => response.socket?.resetAndDestroy());
    } else response.writeHead(200).end();
  };
}
