import type { RequestStatus } from "../../src/schema/request/requestStatus.ts";
import type { FaultInput } from "../control/faults/faultSpec.ts";
import { depositScenes } from "./failures/deposits.ts";
import { fillScenes } from "./failures/fills.ts";
import type { Played, RequestScene, ScenarioContext, Scene } from "./Scenario.ts";
import { handIn, idsOf, pay, quoteOf, quoteToken } from "./steps/payments.ts";

/** One day: the longest delay of a fault. */
const delayMs = 24 * 60 * 60 * 1_000;

/** One scene for each status. The request stays in it; `faults.clear()` lets a held one continue. */
const statusScenes: Readonly<Record<RequestStatus, Scene<Played>>> = {
  depositing: {
    cause: "injected",
    play: signAndHold,
    sentence: "The service accepted the user's signature, and its deposit waits.",
  },
  failure: {
    cause: "real",
    play: fillScenes.TRANSACTION_REVERTED.play,
    sentence: fillScenes.TRANSACTION_REVERTED.sentence,
  },
  pending: {
    cause: "injected",
    play: (scenario) => payAndHold(scenario, "fill-slow"),
    sentence: "The deposit is found, and its fill waits.",
  },
  refund: {
    cause: "real",
    play: depositScenes.DEPOSITED_AMOUNT_TOO_LOW_TO_FILL.play,
    sentence: depositScenes.DEPOSITED_AMOUNT_TOO_LOW_TO_FILL.sentence,
  },
  submitted: {
    cause: "injected",
    play: (scenario) => payAndHold(scenario, "fill-unconfirmed"),
    sentence: "The fill is sent, and its confirmation waits.",
  },
  success: {
    cause: "real",
    play: async (scenario) => pay(scenario, await quoteOf(scenario)),
    sentence: "The deposit is filled.",
  },
  waiting: {
    cause: "real",
    play: async (scenario) => ({ ...idsOf(await quoteOf(scenario)), depositTxHash: null }),
    sentence: "A quote is given and not paid.",
  },
};

/** The same with their names, for the catalogue. */
export function statusScene(status: RequestStatus): RequestScene {
  return { ...statusScenes[status], status };
}

async function payAndHold(
  scenario: ScenarioContext,
  kind: "fill-slow" | "fill-unconfirmed",
): Promise<Played> {
  const quote = await quoteOf(scenario);
  await hold(scenario, { delayMs, kind, requestId: idsOf(quote).requestId });
  return pay(scenario, quote);
}

async function signAndHold(scenario: ScenarioContext): Promise<Played> {
  const quote = await quoteToken(scenario, "USDC", { usePermit: true });
  await hold(scenario, { delayMs, kind: "signed-deposit-slow", requestId: idsOf(quote).requestId });
  return handIn(scenario, quote);
}

/** Adds a fault that outlasts the scenario: it fires once, for this request. */
async function hold({ control }: ScenarioContext, fault: FaultInput): Promise<void> {
  await control.faults.add(fault);
}
