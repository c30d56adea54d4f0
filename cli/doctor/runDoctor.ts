import { createPublicClient } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import * as z from "zod/mini";
import { docsRoot } from "../../src/errors/docsRoot.ts";
import { printable } from "../../src/errors/printable.ts";
import { nodeTransport } from "../settings/openNode.ts";
import { openService, type Service, type ServiceOptions } from "../settings/openService.ts";
import { type ExitCode, exitCodes } from "../terminal/CommandError.ts";
import { describeFailure } from "../terminal/describeFailure.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import { checkService, type Finding, fail, ok, warn } from "./checkService.ts";

/** Time limit of a node, in milliseconds. */
const timeout = 10_000;
/** Receivers of webhooks refuse a timestamp that is further away, in seconds. */
const mostSkew = 300;
/** A skew that no network delay explains, in seconds. */
const noticedSkew = 30;

/** Flags of `waybill doctor`. */
type DoctorOptions = ServiceOptions & { readonly quote?: true | undefined };

/** Runs all checks, and prints a line for each finding. */
export async function runDoctor(terminal: Terminal, options: DoctorOptions): Promise<ExitCode> {
  const findings: Finding[] = [];
  const print = (found: readonly Finding[]) => {
    findings.push(...found);
    for (const finding of found) terminal.line(finding, lineOf(finding));
    terminal.signal.throwIfAborted();
  };
  const service = await openService(options).catch((error: unknown) => {
    print([
      fail("configuration", describeFailure(error).message, `${docsRoot}reference/command.md#configuration`),
    ]);
    return undefined;
  });
  if (service !== undefined) {
    print([ok("service", service.url)]);
    print(checkKey(service));
    for (const [chainId, url] of service.rpcUrls) print([await checkNodeOf(chainId, url, terminal.signal)]);
    print(await checkClock(service, terminal.signal));
    print(await checkService(service, terminal.signal, { quote: options.quote === true }));
  }
  return findings.some(({ level }) => level === "fail") ? exitCodes.refused : exitCodes.ok;
}

function lineOf({ level, message, remedy, subject }: Finding): string {
  const hint = remedy === undefined ? "" : `  → ${remedy}`;
  return `${level.padEnd(4)}  ${printable(`${subject}: ${message}${hint}`)}`;
}

async function checkNodeOf(chainId: number, url: string, signal: AbortSignal): Promise<Finding> {
  const subject = `node of chain ${chainId}`;
  const { host } = new URL(url);
  const transport = nodeTransport(url, { retryCount: 0, signal });
  try {
    const actual = await createPublicClient({ transport }).getChainId();
    if (actual === chainId) return ok(subject, `${host} answers`);
    return fail(subject, `${host} is of chain ${actual}`, "name a node of the chain in `chains`");
  } catch {
    return fail(subject, `${host} does not answer`, "start it, or name another one in `chains`");
  }
}

/** Compares the clocks: of an emulator by its control, of other services by the header `date`, without a key. */
async function checkClock(service: Service, signal: AbortSignal): Promise<readonly Finding[]> {
  const { emulator, url } = service;
  if (emulator !== undefined) {
    const schema = z.looseObject({ now: z.int() });
    const clock = await service
      .admin({ method: "GET", path: "/clock", schema, signal })
      .catch(() => undefined);
    if (clock === undefined) return [];
    const seconds = Math.round((Date.now() - clock.now) / 1_000);
    return [skewOf(seconds, "restart the emulator: its clock was moved, and never goes back")];
  }
  const limit = AbortSignal.any([signal, AbortSignal.timeout(timeout)]);
  const answer = await fetch(`${url.replace(/\/+$/, "")}/chains`, { redirect: "error", signal: limit }).catch(
    () => undefined,
  );
  await answer?.body?.cancel();
  const date = Date.parse(answer?.headers.get("date") ?? "");
  if (Number.isNaN(date)) return [];
  return [skewOf(Math.round((Date.now() - date) / 1_000))];
}

/** Judges by how many seconds this machine's clock is ahead of the service's. */
export function skewOf(seconds: number, remedy = "set this machine's clock"): Finding {
  const skew = Math.abs(seconds);
  const text = `the service's clock is ${skew} s ${seconds < 0 ? "ahead of" : "behind"} this machine's`;
  if (skew < noticedSkew) return ok("clock", "as the service's");
  return skew > mostSkew ? fail("clock", text, remedy) : warn("clock", text, remedy);
}

/** Checks the private key, if one is named. The finding does not contain it. */
function checkKey({ config, privateKey }: Service): readonly Finding[] {
  if (process.env["WAYBILL_PRIVATE_KEY"] === undefined && config.privateKey === undefined) return [];
  try {
    return [ok("privateKey", `of ${privateKeyToAccount(privateKey()).address}`)];
  } catch (error) {
    return [fail("privateKey", describeFailure(error).message, "name a variable or file that has it")];
  }
}
