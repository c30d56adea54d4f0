import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";

/** One result of `waybill doctor`. */
export type Finding = {
  readonly level: "fail" | "ok" | "warn";
  /** What was looked at, such as `node` or `GET /chains`. */
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string | undefined;
};

/** Nothing to mend. */
export const ok = (subject: string, message: string): Finding => ({ level: "ok", message, subject });

/** Something that may be meant so. */
export const warn = (subject: string, message: string, remedy?: string): Finding => ({
  level: "warn",
  message,
  remedy,
  subject,
});

/** Something that does not work. */
export const fail = (subject: string, message: string, remedy?: string): Finding => ({
  level: "fail",
  message,
  remedy,
  subject,
});

/** Ports of `waybill emulator` without flags: API, and a node for each chain. */
const ports = [4_000, 8_545, 8_546];

/** Checks Node, the compiler and the emulator's ports. */
export async function checkMachine(): Promise<readonly Finding[]> {
  return [
    checkNode(process.versions.node),
    checkCompiler(process.cwd()),
    ...(await Promise.all(ports.map(checkPort))),
  ];
}

/** Checks the version of Node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isAtLeast = (needed: number) => major > 22 || (major === 22 && minor >= needed);
  if (!isAtLeast(16)) return fail("node", `Node ${version}`, "install Node 22.16 or newer");
  if (isAtLeast(18)) return ok("node", `Node ${version}`);
  return warn("node", `Node ${version} reads no waybill.config.ts`, "install Node 22.18, or use .mjs");
}

/** Whether contracts can be compiled in a folder: by Hardhat there, or by Foundry. */
export function checkCompiler(folder: string): Finding {
  const found = (name: string) => {
    try {
      createRequire(join(folder, "package.json")).resolve(`${name}/package.json`);
      return true;
    } catch {
      return false;
    }
  };
  if (found("hardhat")) return ok("compiler", "Hardhat is installed here");
  if (existsSync(join(folder, "foundry.toml"))) return ok("compiler", "a Foundry project");
  return warn(
    "compiler",
    "neither Hardhat nor Foundry is in this folder",
    "npm i -D hardhat, to compile contracts",
  );
}

/** Whether a port of this machine is free. */
export async function checkPort(port: number): Promise<Finding> {
  const server = createServer();
  const error = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
    server.once("error", resolve);
    server.listen(port, "127.0.0.1", () => resolve(undefined));
  });
  await new Promise((resolve) => server.close(resolve));
  if (error === undefined) return ok(`port ${port}`, "free");
  const remedy = "fine if it is your emulator; else choose others by --port and --chain-ports";
  return warn(
    `port ${port}`,
    error.code === "EADDRINUSE" ? "in use" : `cannot be used: ${error.code}`,
    remedy,
  );
}
