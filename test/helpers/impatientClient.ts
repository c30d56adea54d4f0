import { type Client, createClient } from "../../src/client/index.ts";

/**
 * A client whose clock jumps by ten seconds at each pause. Waits of up to ten seconds end after their first read, and time
 * limits of a busy machine are not reached before.
 */
export function impatientClient(baseUrl: string): Client {
  let late = 0;
  return createClient({
    baseUrl,
    now: () => Date.now() + late,
    sleep: async () => {
      late += 10_000;
    },
  });
}
