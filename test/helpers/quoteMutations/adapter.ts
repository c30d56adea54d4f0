import { findQuoteMismatches } from "../../../src/calls/verifyQuote.ts";
import { type Client, getChains } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import type { Chain } from "../../../src/schema/chain.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import type { Mutant, Stage } from "./Stage.ts";

/** The only file that names the API of the proof. */
const known = new WeakMap<EmulatorFixture, readonly Chain[]>();

/** Reads what a proof stands on, once for each emulator. */
export async function readTrust(fixture: EmulatorFixture): Promise<void> {
  known.set(fixture, (await getChains(fixture.client)).chains);
}

function policyOf({ bounds, fixture, request }: Stage) {
  const { maximumInput, minimumOutput } = bounds;
  return {
    chains: known.get(fixture),
    ...(request.tradeType === "EXACT_INPUT" ? { minimumOutput } : { maximumInput }),
  };
}

/** The code that a mutant is refused with; undefined where it is proven. */
export async function prove(stage: Stage, { quote }: Mutant): Promise<string | undefined> {
  const { request } = stage;
  try {
    const [first] = await findQuoteMismatches({ ...policyOf(stage), quote, request });
    return first?.code;
  } catch (error) {
    return codeOf(error);
  }
}

/** Carries a mutant out with everything that `execute` checks by itself. */
export async function carryOut(stage: Stage, { quote, state }: Mutant, client: Client): Promise<string> {
  const { fixture, request, user } = stage;
  const { status } = await execute(client, {
    publicClient: fixture.alpha.reader,
    quote,
    request,
    state,
    timeout: 1_500,
    verify: policyOf(stage),
    wallet: user.wallet,
  });
  return status;
}

/** What an error is called in a report. */
export function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === "string" ? code : String(name ?? error);
}
