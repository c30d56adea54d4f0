import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import fc from "fast-check";
import { startEmulator } from "../../emulator/index.ts";
import { type FuzzedRequest, fuzzedRequest } from "./fuzzRequests.ts";

const mostGrowth = 50 * 1024 * 1024;
/** Requests that may fill what is filled once: compiled code, prepared statements. */
const warmUp = 500;

/** Throws requests at a new emulator: none may be answered with a 5xx, none may be logged as an error, and memory stays. */
export async function runFuzz(count: number, seed: number): Promise<void> {
  const errors: string[] = [];
  const emulator = await startEmulator({
    chainPorts: [0, 0],
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
    port: 0,
  });
  try {
    const requests = fuzzedRequest(emulator.info.apiKeys[0]?.key ?? "");
    await throwAt(emulator.fetch, fc.sample(requests, { numRuns: warmUp, seed }));
    const before = memory();
    let understood = 0;
    // In portions, so that what is thrown does not fill the memory itself.
    for (let done = 0; done < count; done += 1_000) {
      const size = Math.min(1_000, count - done);
      understood += await throwAt(
        emulator.fetch,
        fc.sample(requests, { numRuns: size, seed: seed + done + 1 }),
      );
    }
    // What is refused at the door finds nothing.
    expect(understood).to.be.greaterThan(count / 20);
    expect(errors).to.deep.equal([]);
    expect(memory() - before).to.be.lessThan(mostGrowth);
  } finally {
    await emulator.stop();
  }
}

/** @returns How many of them were answered with 200. */
async function throwAt(
  send: (request: Request) => Promise<Response>,
  requests: readonly FuzzedRequest[],
): Promise<number> {
  let understood = 0;
  for (const { body, headers, method, path } of requests) {
    const init = { headers, method, ...(body !== undefined && { body: body as string }) };
    const answer = await send(new Request(`http://127.0.0.1${path}`, init));
    await answer.arrayBuffer();
    expect(answer.status, `${method} ${path} ${String(body)}`).to.be.lessThan(500);
    if (answer.status === 200) understood++;
  }
  return understood;
}

function memory(): number {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
  return process.memoryUsage().heapUsed;
}
