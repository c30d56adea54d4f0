import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../../checks/runTool.ts";
import { type Places, tarballsOf } from "./packPackages.ts";
import { environment, runCommand } from "./runCommand.ts";

/** Grace of `docker stop`, in milliseconds. */
const STOP_MS = 10_000;

/** Instructions of the Dockerfile by name. @throws Error for one that `runContainer` does not carry out or leave out. */
function readRecipe(): Readonly<Record<string, string>> {
  const text = readFileSync(join(root, "Dockerfile"), "utf8").replaceAll(/\\\n\s*/g, "");
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const steps = Object.fromEntries(lines.map((line) => [line.split(" ", 1)[0], line.replace(/^\S+ /, "")]));
  const names = ["FROM", "ARG", "WORKDIR", "RUN", "USER", "EXPOSE", "HEALTHCHECK", "ENTRYPOINT"];
  if (`${Object.keys(steps)}` !== `${names}` || lines.length !== names.length)
    throw new Error(`the Dockerfile has other steps than ${names}`);
  return steps;
}

/**
 * Carries out the Dockerfile's steps in an empty folder without an engine: installs the packed packages in place of the registry's,
 * starts the entry point on loopback with free ports, asks its health check, stops it as an engine would, and asks again. The base
 * image, its user and published ports are left out. Then runs the action there.
 */
export async function runContainer({ apart, examples, packed }: Places): Promise<string> {
  const { ENTRYPOINT = "", HEALTHCHECK = "", RUN = "" } = readRecipe();
  const folder = join(apart, "container");
  mkdirSync(folder);
  const { "@waybill/emulator": emulator, waybill } = tarballsOf(examples, packed);
  // The cache belongs to the machine.
  const install = RUN.replace(/"@waybill\/emulator@[^"]*"/, `${emulator} ${waybill}`).replace(
    / && npm cache clean --force$/,
    "",
  );
  const output = await runCommand(folder, ["bash", "-c", install]);
  const [, seconds = "0"] = /--start-period=(\d+)s/.exec(HEALTHCHECK) ?? [];
  const health = (apiUrl: string) => {
    const command: [string, ...string[]] = JSON.parse(HEALTHCHECK.replace(/^.* CMD /, ""));
    return runCommand(
      folder,
      command.map((part) => part.replace("http://127.0.0.1:4000", apiUrl)) as typeof command,
    );
  };
  const started = performance.now();
  const [command, ...parameters] = JSON.parse(ENTRYPOINT) as [string, ...string[]];
  const flags = ["--host", "127.0.0.1", "--port", "0", "--chain-ports", "0,0", "--svm"];
  const child = spawn(command, [...parameters, ...flags], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const kill = () => child.kill("SIGKILL");
  process.once("exit", kill);
  try {
    const [line] = (await Promise.race([once(createInterface(child.stdout), "line"), ended])) as [string];
    const { apiUrl }: { apiUrl: string } = JSON.parse(String(line));
    await health(apiUrl);
    const took = performance.now() - started;
    if (took > Number(seconds) * 1_000)
      throw new Error(`it serves after ${took} ms, beyond the start period`);
    child.kill("SIGTERM");
    const end = setTimeout(kill, STOP_MS);
    const [code] = await ended;
    clearTimeout(end);
    if (code !== 0) throw new Error(`it ended with ${code} when it was stopped`);
    const isHealthy = await health(apiUrl).then(
      () => true,
      () => false,
    );
    if (isHealthy) throw new Error("its health check passes after its end");
    return output + (await runAction(folder));
  } finally {
    kill();
    process.off("exit", kill);
  }
}

/** Runs the action's script over the installed command, as a step of a workflow would. */
async function runAction(folder: string): Promise<string> {
  const [environmentFile, outputs] = [join(folder, "env"), join(folder, "outputs")];
  const settings = { GITHUB_ENV: environmentFile, GITHUB_OUTPUT: outputs, RUNNER_TEMP: folder };
  for (const file of [environmentFile, outputs]) writeFileSync(file, "");
  try {
    const output = await runCommand(folder, ["bash", join(root, "action", "start.sh")], { settings });
    const [, url = ""] = /^WAYBILL_URL=(.+)$/m.exec(readFileSync(environmentFile, "utf8")) ?? [];
    const { status } = await fetch(`${url}/chains`);
    if (status !== 200) throw new Error(`the action's emulator answers ${status}`);
    return output;
  } finally {
    const [, pid] = /^pid=(\d+)$/m.exec(readFileSync(outputs, "utf8")) ?? [];
    if (pid !== undefined) process.kill(-Number(pid), "SIGKILL");
  }
}
