import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import type { Lane } from "../../../../scripts/test/runLanes.ts";

const runLanes = new URL("../../../../scripts/test/runLanes.ts", import.meta.url).href;

describe("lanes of tests", () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-lanes-"));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const path = (name: string) => join(folder, name);

  /** A lane that runs this code. */
  function lane(name: string, code: string): Lane {
    const waiting =
      "const until = async (done) => { while (!done()) await new Promise((r) => setTimeout(r, 5)); };";
    const head = `import { existsSync, writeFileSync } from "node:fs"; ${waiting}\n`;
    return { name, command: [process.execPath, "--input-type=module", "--eval", head + code] };
  }

  const there = (name: string) => `existsSync(${JSON.stringify(path(name))})`;
  const touch = (name: string) => `writeFileSync(${JSON.stringify(path(name))}, "");`;
  const hang = "setInterval(() => {}, 1_000);";

  /** Runs lanes in a process of their own, which can be interrupted as from a terminal. */
  function start(lanes: readonly Lane[], slots = lanes.length) {
    const code = `import { runLanes } from ${JSON.stringify(runLanes)};
      process.exitCode = await runLanes(${JSON.stringify(lanes)}, ${slots});`;
    const flags = ["--disable-warning=ExperimentalWarning", "--input-type=module", "--eval", code];
    const child = spawn(process.execPath, flags, { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr += chunk;
    });
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
      child.on("error", reject).on("close", (exitCode) => resolve({ code: exitCode, stdout, stderr }));
    });
    return { child, ended };
  }

  async function until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  it("run side by side: each waits here for the other, and both pass", async () => {
    const { code, stderr } = await start([
      lane("one", `${touch("one")} await until(() => ${there("two")});`),
      lane("two", `${touch("two")} await until(() => ${there("one")});`),
    ]).ended;
    expect(code).to.equal(0);
    expect(stderr).to.match(/^one: passed in \d+ s$/m);
    expect(stderr).to.match(/^two: passed in \d+ s$/m);
  });

  it("end with 1 when a lane fails, let the others pass first, and show each output whole", async () => {
    const speak = (name: string) => `console.log("${name} begins"); console.log("${name} ends");`;
    const run = start([lane("one", `${speak("one")} process.exit(3);`), lane("two", speak("two"))]);
    const { code, stdout, stderr } = await run.ended;
    expect(code).to.equal(1);
    expect(stdout).to.include("one begins\none ends\n").and.include("two begins\ntwo ends\n");
    expect(stderr).to.match(/^one: failed with exit code 3 in \d+ s$/m);
    expect(stderr).to.match(/^two: passed in \d+ s$/m);
  });

  it("wait for a free slot: the third starts when the second ends, and not before", async () => {
    const run = start(
      [
        lane("one", `await until(() => ${there("three")});`),
        lane("two", `await new Promise((r) => setTimeout(r, 50)); ${touch("two")}`),
        lane("three", `if (!${there("two")}) process.exit(3); ${touch("three")}`),
      ],
      2,
    );
    const { code, stderr } = await run.ended;
    expect(code).to.equal(0);
    expect(stderr).to.match(/^three: passed in \d+ s$/m);
  });

  it("do not start after an interrupt", async () => {
    const run = start([lane("one", `${touch("one")} ${hang}`), lane("two", touch("two"))], 1);
    await until(() => existsSync(path("one")));
    run.child.kill("SIGTERM");
    const { code } = await run.ended;
    expect({ code, two: existsSync(path("two")) }).to.deep.equal({ code: 143, two: false });
  });

  it("end with 1 when one is killed, or cannot start", async () => {
    const missing: Lane = { name: "missing", command: [path("no such program")] };
    const killed = lane("killed", 'process.kill(process.pid, "SIGKILL");');
    const { code, stderr } = await start([killed, missing]).ended;
    expect(code).to.equal(1);
    expect(stderr).to.match(/^killed: ended by SIGKILL in/m);
    expect(stderr).to.match(/^missing: could not start: .*ENOENT.* in/m);
  });

  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    it(`end with ${exitCode} on ${signal}, and with them what they started`, async () => {
      const grandchild = `import { spawn } from "node:child_process";
        const child = spawn(process.execPath, ["--eval", ${JSON.stringify(hang)}], { stdio: "inherit" });
        child.on("spawn", () => ${touch("grandchild").slice(0, -1)}); ${hang}`;
      const run = start([lane("one", `${touch("one")} ${hang}`), lane("two", `${grandchild}`)]);
      await until(() => ["one", "grandchild"].every((name) => existsSync(path(name))));
      run.child.kill(signal);
      // The promise resolves once every process that inherited the output has ended.
      const { code, stderr } = await run.ended;
      expect(code).to.equal(exitCode);
      expect(stderr).to.include(`Interrupted by ${signal}.`);
    });
  }

  it("are killed by the second interrupt when they do not heed the first", async () => {
    const deaf = `process.on("SIGINT", () => ${touch("asked").slice(0, -1)}); ${touch("one")} ${hang}`;
    const run = start([lane("one", deaf), lane("two", "")]);
    await until(() => existsSync(path("one")));
    run.child.kill("SIGINT");
    await until(() => existsSync(path("asked")));
    run.child.kill("SIGINT");
    const { code } = await run.ended;
    expect(code).to.equal(130);
  });
});
