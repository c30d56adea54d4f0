import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import type { TestAnswer, TestRequest } from "./testWorker.ts";

/** Far more than any file of tests takes; a mutant that needs it is counted as killed. */
const LIMIT_MS = 300_000;

/** Runs files of Solidity tests, one at a time, in a process that it replaces when one runs without end. */
export class TestRunner {
  readonly #passing = new Set<string>();
  #worker: ChildProcess | undefined;

  async run(request: TestRequest): Promise<TestAnswer> {
    this.#worker ??= fork(join(import.meta.dirname, "testWorker.ts"), {
      execArgv: ["--disable-warning=ExperimentalWarning"],
    });
    const worker = this.#worker;
    const { promise, resolve, reject } = Promise.withResolvers<TestAnswer>();
    const limit = setTimeout(() => {
      this.stop();
      resolve({ outcome: "failed", by: `no end in ${LIMIT_MS / 1_000} s` });
    }, LIMIT_MS);
    const fail = (code: number | null) =>
      reject(new Error(`the test process ended with ${code ?? "a signal"}`));
    worker.once("message", resolve).once("exit", fail);
    worker.send(request);
    try {
      return await promise;
    } finally {
      clearTimeout(limit);
      worker.off("message", resolve).off("exit", fail);
    }
  }

  /** Runs a file without a mutant, once. @throws Error when it fails: its failures would say nothing about mutants. */
  async requirePassing(test: string): Promise<void> {
    if (this.#passing.has(test)) return;
    const answer = await this.run({ test });
    if (answer.outcome !== "passed") throw new Error(`${test} fails without a mutant: ${answer.by}`);
    this.#passing.add(test);
  }

  stop(): void {
    this.#worker?.kill("SIGKILL");
    this.#worker = undefined;
  }
}
