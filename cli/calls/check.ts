import { Command } from "commander";
import type { CallFinding } from "../../src/calls/checks/CallsUnderCheck.ts";
import { printable } from "../../src/errors/printable.ts";
import { type ExitCode, exitCodes } from "../terminal/exitCodes.ts";
import { withWork } from "../terminal/runCommand.ts";
import type { Terminal } from "../terminal/Terminal.ts";

/** `waybill calls check`: finds errors in a quote's calls from their calldata alone. */
export function checkCommand(): Command {
  const command = new Command("check")
    .description("find errors in the txs of a quote request, without a chain")
    .argument("<file>", "body of a quote request with txs, as JSON; - reads stdin")
    .addHelpText(
      "after",
      `
Exit code 0 means no errors (there may be warnings), 1 errors.

Examples:
  waybill calls check quote-request.json
  waybill calls check - --json < quote-request.json | jq -r '.findings[].code'`,
    );
  return withWork<object, [string]>(command, run);
}

async function run(terminal: Terminal, _: object, file: string): Promise<ExitCode> {
  const { readCallsFile } = await import("./callsFile.ts");
  const { checkCalls } = await import("../../src/calls/checkCalls.ts");
  const given = await readCallsFile(file);
  const findings = checkCalls(given);
  const isGood = findings.every(({ severity }) => severity !== "error");
  const lines = findings.map((finding) => textOf(finding, terminal));
  const summary = `calls: ${given.txs.length}, findings: ${findings.length}`;
  terminal.result({ calls: given.txs.length, findings, ok: isGood }, [...lines, summary].join("\n"));
  return isGood ? exitCodes.ok : exitCodes.refused;
}

function textOf({ code, fix, index, message, severity }: CallFinding, { style }: Terminal): string {
  const place = index === undefined ? "all calls" : `call ${index}`;
  return `${style(severity === "error" ? "red" : "yellow", severity)} ${printable(`${place} ${code}: ${message}`)} ${style("dim", fix)}`;
}
