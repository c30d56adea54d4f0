import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";

const command = fileURLToPath(new URL("../cli/waybill.js", import.meta.resolve("@waybill/emulator")));

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "entry-points-"));
});
after(() => rm(folder, { recursive: true }));

test("waybill emulator --svm --quiet serves, prints nothing, and ends on an interrupt", async () => {
  const out = join(folder, "emulator.json");
  const flags = ["emulator", "--port", "0", "--chain-ports", "0,0", "--out", out, "--svm", "--quiet"];
  const child = spawn(process.execPath, [command, ...flags], { cwd: folder, stdio: "pipe" });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString();
    });
  }
  try {
    while (!existsSync(out) && child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    assert.ok(existsSync(out), `not ready: ${printed}`);
    const { apiUrl, svm }: { apiUrl: string; svm?: object } = JSON.parse(readFileSync(out, "utf8"));
    assert.ok(svm);
    assert.equal((await fetch(`${apiUrl}/chains`)).status, 200);
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    assert.equal(code, 0);
    assert.equal(printed, "");
  } finally {
    child.kill("SIGKILL");
  }
});
