import { existsSync } from "node:fs";
import { Command } from "commander";
import type { Hex } from "viem";
import { printable } from "../../src/errors/printable.ts";
import { usageError } from "../terminal/CommandError.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";
import type { ReadCall } from "./readCall.ts";

/** `waybill calls decode`: decodes calldata of the service's contracts, the proxy and tokens. */
export function decodeCommand(): Command {
  const command = new Command("decode")
    .description("decode calldata of routers, depository, proxy and tokens, calls within calls included")
    .argument("<data>", "calldata in hexadecimal, or a JSON file with txs")
    .addHelpText(
      "after",
      `
Examples:
  waybill calls decode 0x095ea7b3…
  waybill calls decode quote-request.json
  waybill calls decode 0x095ea7b3… --json | jq .calls[0].functionName`,
    );
  return withWork<object, [string]>(command, run);
}

async function run(terminal: Terminal, _: object, given: string): Promise<void> {
  const { readCall } = await import("./readCall.ts");
  const calls = (await dataOf(given)).map((data) => readCall(data));
  terminal.result({ calls }, calls.map((call, i) => textOf(call, `${i}`)).join("\n"));
}

async function dataOf(given: string): Promise<readonly Hex[]> {
  if (/^0x(?:[0-9a-fA-F]{2})*$/.test(given)) return [given as Hex];
  if (given.startsWith("0x")) throw usageError("The calldata is not whole bytes in hexadecimal.");
  const { readCallsFile } = await import("./callsFile.ts");
  if (given !== "-" && !existsSync(given))
    throw usageError(`${given} is neither calldata, which begins with 0x, nor a file.`);
  return (await readCallsFile(given)).txs.map(({ data }) => data);
}

function textOf({ args, calls, functionName, selector, tag }: ReadCall, place: string): string {
  const name = functionName ?? (selector === "0x" ? "no calldata" : `unknown function ${selector}`);
  return [
    `${place}  ${name}`,
    ...args.map((arg) => printable(`${" ".repeat(place.length + 4)}${arg.name} = ${arg.value}`)),
    ...(tag === undefined ? [] : [`${" ".repeat(place.length + 4)}trailing bytes = ${tag}`]),
    ...calls.map((call, i) => textOf(call, `${place}.${i}`)),
  ].join("\n");
}
