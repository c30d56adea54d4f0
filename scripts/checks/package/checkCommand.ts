import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Problem } from "../Problem.ts";

const START_MS = 5_000;

/**
 * Starts the emulator by the installed command, as `npx waybill emulator` does in an empty folder.
 *
 * @returns Problems: no service within five seconds, a warning, or no stop on request.
 */
export async function checkCommand(project: string, command: string): Promise<Problem[]> {
  const folder = join(project, "empty");
  mkdirSync(folder);
  const out = join(folder, "emulator.json");
  const flags = ["emulator", "--port", "0", "--chain-ports", "0,0", "--out", out, "--quiet"];
  const child = spawn(process.execPath, [command, ...flags], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const keep = (chunk: Buffer): void => {
    output += chunk.toString();
  };
  child.stdout.on("data", keep);
  child.stderr.on("data", keep);
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));

  const problems: string[] = [];
  const end = performance.now() + START_MS;
  while (!existsSync(out) && child.exitCode === null && performance.now() < end) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (existsSync(out)) {
    const { apiUrl }: { apiUrl: string } = JSON.parse(readFileSync(out, "utf8"));
    const { status } = await fetch(`${apiUrl}/chains`);
    if (status !== 200) problems.push(`GET /chains is answered with ${status}`);
  } else {
    problems.push(`it does not serve within ${START_MS} ms`);
  }
  child.kill("SIGINT");
  const code = await ended;
  if (code !== 0) problems.push(`it ends with ${code}`);
  if (output !== "") problems.push(`it prints:\n${output}`);
  return problems.map((problem) => ({
    file: "emulator/package.json",
    message: `waybill emulator, installed: ${problem}`,
  }));
}
