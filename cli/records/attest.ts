import { Argument, Command, type CommandUnknownOpts } from "@commander-js/extra-typings";
import type { Address, Hex } from "viem";
import { readAddressFlag, readRequestId } from "../flags/readFlags.ts";
import { type Service, withService } from "../settings/openService.ts";
import { readJsonFile } from "../settings/readFiles.ts";
import { exitCodes, usageError } from "../terminal/CommandError.ts";
import { table } from "../terminal/table.ts";
import type { Attestation } from "./attestFile.ts";

/** `waybill attest`: explains and verifies the solver's signed record or order. */
export function attestCommand(): CommandUnknownOpts {
  const command = new Command("attest")
    .description("explain and verify the solver's signed record of a request, or the order of a quote")
    .addArgument(new Argument("[requestId]", "fetch the record of this request").argParser(readRequestId))
    .option("--file <file>", "a saved record or quote instead, as JSON; - reads stdin")
    .option(
      "--solver <address>",
      "the expected signer (default: of --emulator or the configuration)",
      readAddressFlag,
    )
    .addHelpText(
      "after",
      `
Exit code 0 means verified, 1 not verified. A saved record has requestId, requestData and signature.

Examples:
  waybill attest 0x9101…8e2a --emulator emulator.json
  waybill attest 0x9101…8e2a --url https://api.relay.link --solver 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF
  waybill attest --file record.json --solver 0xf70da97812CB96acDF810712Aa562db8dfA3dbEF
  waybill quote … --json | waybill attest --file - --emulator emulator.json`,
    );
  return withService(command, async (terminal, options, requestId) => {
    if ((requestId === undefined) === (options.file === undefined)) {
      throw usageError("Name either a request id or --file.");
    }
    const { service } = terminal;
    const solver = options.solver ?? (await solverOf(service));
    const { attestFile, attestRecord } = await import("./attestFile.ts");
    const attestation =
      requestId === undefined
        ? await attestFile(await readJsonFile(options.file ?? "-"), solver)
        : await attestRecord(await fetchRecord(service, requestId, terminal.signal), solver);
    terminal.result(attestation, describe(attestation));
    return attestation.verified ? exitCodes.ok : exitCodes.refused;
  });
}

async function solverOf({ solver, url }: Service): Promise<Address> {
  if (solver !== undefined) return readAddressFlag(solver);
  const { production } = await import("../../src/internal/serviceAddresses.ts");
  const { productionTrust } = await import("../../src/calls/verify/productionTrust.ts");
  const [known] = productionTrust.solvers;
  if (url.startsWith(production.baseUrl) && known !== undefined) return known;
  throw usageError(
    "Name the expected signer: --solver, --emulator, or `solver` of the configuration. A record's own claim proves nothing.",
  );
}

async function fetchRecord({ client }: Service, requestId: Hex, signal: AbortSignal) {
  const { getSignature } = await import("../../src/client/getSignature.ts");
  return { requestId, ...(await getSignature(client, { requestId, signal })) };
}

function describe({
  digest,
  fields,
  mistakes,
  signer,
  solver,
  what,
  verified,
  ...rest
}: Attestation): string {
  const verdict = verified
    ? `verified: the solver signed exactly this ${what}`
    : `not verified: ${rest.reason}`;
  return [
    `Fields of the ${what}, in the order in which they are signed`,
    table(fields.map(({ name, note, value, word }) => [`  ${name}`, value, note ?? "", word ?? ""])),
    "",
    table([
      ...(rest.orderId === undefined
        ? []
        : [["order id", rest.orderId, "hash of the order by EIP-712, without a domain"]]),
      ...(rest.hash === undefined ? [] : [["hash", rest.hash, "keccak256 of the seven words"]]),
      ["digest", digest, "Ethereum signed message of the 32 bytes above"],
      ["signer", signer ?? "none", "recovered from digest and signature"],
      ["solver", solver, "expected"],
    ]),
    "",
    verdict,
    ...mistakes.map((mistake) => `It verifies if ${mistake}.`),
  ].join("\n");
}
