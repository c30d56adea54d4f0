import { trustOfEmulator } from "../../../emulator/trustOfEmulator.ts";
import { quoteSimulator } from "../../../src/calls/quoteSimulator.ts";
import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import type { Client } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import type { Mutant, Stage } from "./Stage.ts";

// The only file of the harness that names the API of the proof.

/** The caller's policy: the emulator's contracts as trust roots, and its own bounds. */
function policyOf({ bounds, fixture, request }: Stage) {
  const { maximumInput, minimumOutput } = bounds;
  const isFixedInput = request.tradeType === "EXACT_INPUT";
  const isExpected = request.tradeType === "EXPECTED_OUTPUT";
  return {
    // The calls of a signature are fixed: no guard can be inserted.
    ...(request.usePermit === true && {
      allowSimulatedOutput: true,
      simulate: quoteSimulator(fixture.alpha.reader),
    }),
    ...(!isFixedInput && { maximumInput }),
    ...((isFixedInput || isExpected) && { minimumOutput }),
    trust: trustOfEmulator(fixture.emulator.info),
  };
}

/** Error code of a rejected mutant; `undefined` if it is proven. */
export async function prove(stage: Stage, { quote }: Mutant): Promise<string | undefined> {
  const { fixture, request } = stage;
  const reader = fixture.alpha.reader;
  try {
    const [first] = await findQuoteMismatches({ ...policyOf(stage), quote, reader, request });
    return first?.code;
  } catch (error) {
    return codeOf(error);
  }
}

/** Executes a mutant with all checks of `execute`. */
export async function carryOut(stage: Stage, { quote, state }: Mutant, client: Client): Promise<string> {
  const { fixture, request, user } = stage;
  const { status } = await execute(client, {
    publicClient: fixture.alpha.reader,
    quote,
    request,
    state,
    timeout: 1_200,
    verify: policyOf(stage),
    wallet: user.wallet,
  });
  return status;
}

/** Name of an error in a report. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? error);
}
