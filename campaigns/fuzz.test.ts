import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { OpenApiDocument } from "../scripts/openapi/OpenApiDocument.ts";
import { campaignSeed, progress, sizeOf } from "./support/campaign.ts";
import type { FuzzedReady, FuzzedState } from "./support/fuzzedEmulator.ts";
import { type FuzzedRequest, fuzzedRequest } from "./support/fuzzedRequests.ts";

const count = sizeOf(100_000, 1_000_000);
const portion = 1_000;
const atOnce = 8;
const megabyte = 1024 * 1024;
const mostGrowth = 50 * megabyte;

describe("the API under 100,000 fuzzed requests, or a million in the long lane", () => {
  it("answers them without a 5xx, without an error in the log and without filling the memory", async function () {
    this.timeout(4 * 3_600_000);
    const seed = Number.parseInt(campaignSeed(`${Date.now() % 1_000_000_000}`), 10) || 1;
    const folder = await mkdtemp(join(tmpdir(), "waybill-fuzz-"));
    const script = new URL("support/fuzzedEmulator.ts", import.meta.url);
    const execArgv = ["--disable-warning=ExperimentalWarning"];
    const child = fork(script, [join(folder, "emulator.db")], { execArgv });
    const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
    const ask = async (): Promise<FuzzedState> => {
      child.send("state");
      return (await once(child, "message"))[0] as FuzzedState;
    };
    try {
      const ready = (await once(child, "message"))[0] as FuzzedReady;
      const document = (await (await fetch(`${ready.apiUrl}/openapi.json`)).json()) as OpenApiDocument;
      const requests = fuzzedRequest(document, ready);
      const understood: Record<string, number> = {};
      const states: FuzzedState[] = [];
      for (let done = 0; done < count; done += portion) {
        if (done % (count / 20) === 0) states.push(await ask());
        const left = fc.sample(requests, { numRuns: portion, seed: seed + done });
        const work = async () => {
          for (let one = left.pop(); one !== undefined; one = left.pop()) {
            const status = await send(agent, ready.apiUrl, one);
            const what = `${status} of ${one.method} ${one.path} ${one.body}`;
            expect(status, what).to.be.lessThan(500);
            expect(Object.keys(one.operation.responses), what).to.include(`${status}`);
            const { operationId } = one.operation;
            if (status === 200) understood[operationId] = (understood[operationId] ?? 0) + 1;
          }
        };
        await Promise.all(Array.from({ length: atOnce }, work));
        expect(child.exitCode, "the emulator's exit code").to.equal(null);
        if (done % (10 * portion) === 0) progress(`${done + portion} of ${count}`);
      }
      states.push(await ask());
      expect(states.flatMap(({ errors }) => errors)).to.deep.equal([]);
      const [heap, whole] = [
        growth(states.map((each) => each.heapUsed)),
        growth(states.map((each) => each.rss)),
      ];
      progress(`heap +${heap / megabyte} MB, process +${whole / megabyte} MB, ${JSON.stringify(understood)}`);
      // Requests that are rejected early would test nothing.
      const fine = Object.values(understood).reduce((sum, each) => sum + each, 0);
      expect(fine).to.be.greaterThan(count / 20);
      expect(understood).to.include.all.keys("getQuote", "getRequests");
      expect(heap, "growth of the heap").to.be.lessThan(mostGrowth);
      expect(whole, "growth of the process").to.be.lessThan(mostGrowth);
    } finally {
      agent.destroy();
      child.kill();
      await once(child, "exit");
      await rm(folder, { force: true, recursive: true });
    }
  });
});

/**
 * Growth between the second quarter and the last. The first is the warm-up: compiled code, prepared statements, heap size. Each
 * quarter counts with its least value, because the system takes freed memory back late.
 */
function growth(bytes: readonly number[]): number {
  const quarter = Math.floor(bytes.length / 4);
  return Math.min(...bytes.slice(-quarter)) - Math.min(...bytes.slice(quarter, 2 * quarter));
}

/** @returns the status of the answer. */
async function send(
  agent: Agent,
  url: string,
  { body, headers, method, path }: FuzzedRequest,
): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, headers, host: hostname, method, path, port }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", reject);
    });
    sent.once("error", (cause) => reject(new Error(`${method} ${path} ${body}`, { cause })));
    sent.end(body);
  });
}
