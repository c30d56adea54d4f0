import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import fc from "fast-check";
import type { OpenApiDocument } from "../../../emulator/http/openapi/OpenApiDocument.ts";
import { connectRaw } from "../network/rawClient.ts";
import { operationOf } from "../openapi/documentedAnswers.ts";
import { fuzzedBytes } from "./fuzzBytes.ts";
import type { FuzzedReady, FuzzedState } from "./fuzzedEmulator.ts";
import { fuzzedSample } from "./fuzzedSample.ts";
import { type FuzzedRequest, fuzzedRequest } from "./fuzzRequests.ts";

export type RunFuzzParameters = {
  readonly count: number;
  readonly seed: number;
  readonly progress?: ((line: string) => void) | undefined;
};

const script = new URL("fuzzedEmulator.ts", import.meta.url).pathname;
const megabyte = 1024 * 1024;
const mostGrowth = 50 * megabyte;
/** One request in so many is not valid HTTP. */
const rawEvery = 25;
const portion = 1_000;
const atOnce = 8;
/** Time limit of a connection without an answer, in milliseconds. */
const rawMs = 250;

/**
 * Sends random requests to a new emulator in a process of its own. Every request is answered, none with a 5xx and each
 * operation with a documented status, and none logs an error. The process survives, and its heap and resident memory stay bounded after a warm-up.
 */
export async function runFuzz({ count, progress = () => {}, seed }: RunFuzzParameters): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waybill-fuzz-"));
  const child = fork(script, [join(folder, "emulator.db")], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const ask = async (): Promise<FuzzedState> => {
    child.send("state");
    return (await once(child, "message"))[0] as FuzzedState;
  };
  try {
    const ready = (await once(child, "message"))[0] as FuzzedReady;
    const document = (await (await fetch(`${ready.apiUrl}/openapi.json`)).json()) as OpenApiDocument;
    const target = { agent, document, url: ready.apiUrl };
    const requests = fc.oneof(
      { arbitrary: fuzzedRequest(ready.apiKey), weight: 2 },
      { arbitrary: fuzzedSample(ready.samples, ready), weight: 1 },
    );
    let before: FuzzedState | undefined;
    let understood = 0;
    // The first quarter is the warm-up: compiled code, prepared statements, heap size.
    const warmUp = Math.max(portion / 2, count / 4);
    for (let done = 0; done < count; done += portion) {
      if (before === undefined && done >= warmUp) before = await ask();
      const size = Math.min(portion, count - done);
      const thrown = fc.sample(requests, { numRuns: size, seed: seed + done });
      const bytes = fc.sample(fuzzedBytes, { numRuns: Math.ceil(size / rawEvery), seed: seed + done });
      const [fine] = await Promise.all([throwAll(target, thrown), throwBytes(ready.apiUrl, bytes)]);
      understood += fine;
      expect(child.exitCode, "the emulator's exit code").to.equal(null);
      if ((done / portion) % 10 === 9) {
        const { heapUsed, rss } = await ask();
        progress(`${done + size} of ${count}, heap ${inMegabytes(heapUsed)}, process ${inMegabytes(rss)}`);
      }
    }
    const after = await ask();
    // Requests that are rejected early would test nothing.
    expect(understood).to.be.greaterThan(count / 20);
    expect(after.errors).to.deep.equal([]);
    const heap = after.heapUsed - (before?.heapUsed ?? 0);
    const whole = after.rss - (before?.rss ?? 0);
    progress(
      `${count} thrown, ${understood} understood; heap +${inMegabytes(heap)}, process +${inMegabytes(whole)}`,
    );
    expect(before, "memory before").to.not.equal(undefined);
    expect(heap, "growth of the heap").to.be.lessThan(mostGrowth);
    expect(whole, "growth of the process").to.be.lessThan(mostGrowth);
  } finally {
    agent.destroy();
    if (child.exitCode === null) {
      child.disconnect();
      await once(child, "exit");
    }
    await rm(folder, { force: true, recursive: true });
  }
}

type Target = { readonly agent: Agent; readonly document: OpenApiDocument; readonly url: string };

/** @returns Number of answers with status 200. */
async function throwAll(target: Target, requests: readonly FuzzedRequest[]): Promise<number> {
  let next = 0;
  let understood = 0;
  const work = async () => {
    for (let one = requests[next++]; one !== undefined; one = requests[next++]) {
      const status = await throwOne(target, one);
      const { body, method, path } = one;
      const what = `${status} of ${method} ${path} ${String(body)}`;
      expect(status, what).to.be.lessThan(500);
      const operation = documentedFor(target.document, one);
      if (operation !== undefined) expect(Object.keys(operation.responses), what).to.include(`${status}`);
      if (status === 200) understood++;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return understood;
}

/** The documented operation of a request; `undefined` where the document has none. */
function documentedFor(document: OpenApiDocument, { method, path }: FuzzedRequest) {
  return operationOf(document, method.toLowerCase(), path.split("?")[0] ?? "");
}

async function throwOne(
  { agent, url }: Target,
  { body, headers, method, path }: FuzzedRequest,
): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request({ agent, headers, host: hostname, method, path, port }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
      answer.once("error", reject);
    });
    sent.once("error", (cause) => reject(new Error(`${method} ${path} ${String(body)}`, { cause })));
    sent.end(body);
  });
}

/** Sends malformed HTTP. */
async function throwBytes(url: string, all: readonly Uint8Array[]): Promise<void> {
  for (const bytes of all) {
    const client = await connectRaw(url);
    client.socket.end(bytes);
    const timer = setTimeout(() => client.socket.destroy(), rawMs);
    await client.ended;
    clearTimeout(timer);
    expect(client.received(), Buffer.from(bytes).toString("latin1")).to.not.match(/^HTTP\/1\.1 5/m);
  }
}

function inMegabytes(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`;
}
