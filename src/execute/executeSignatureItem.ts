import type { Hex } from "viem";
import { submitSignature } from "../client/submitSignature.ts";
import { HttpError } from "../errors/HttpError.ts";
import type { Eip191Sign, Eip712Sign, SignatureData, SignatureStep, Step } from "../schema/quote/step.ts";
import { type ItemKey, removeItem, setItem } from "./ExecutionState.ts";
import { assertNotAborted } from "./executeTransactionItem.ts";
import { assertProven, type Run } from "./Run.ts";
import { report } from "./report.ts";
import { signStep } from "./signStep.ts";

/** Parameters of {@link executeSignatureItem}. */
export type ExecuteSignatureItemParameters = ItemKey & {
  post: SignatureData["post"];
  sign: Eip191Sign | Eip712Sign;
  step: SignatureStep;
};

/**
 * Signs an item and submits the signature once.
 *
 * @returns The steps that the service appended.
 * @throws WalletFailedError; errors of `submitSignature`; AbortedError.
 *
 * @example
 * const appended = await executeSignatureItem(run, { itemIndex: 0, post, sign, step, stepIndex: 0 });
 */
export async function executeSignatureItem(
  run: Run,
  { itemIndex, post, sign, step, stepIndex }: ExecuteSignatureItemParameters,
): Promise<readonly Step[]> {
  const key = { itemIndex, stepIndex };
  const event = { ...key, step, txHash: undefined };
  assertProven(run, { ...key, stepId: step.id });
  await report(run, { ...event, phase: "signing" });
  assertNotAborted(run);
  const signature = await signStep(run, { sign, stepId: step.id });
  await report(run, { ...event, phase: "submitting" }, setItem(run.state, { ...key, status: "sending" }));
  const steps = await submit(run, { event, post, signature });
  const done = setItem(run.state, { ...key, status: "complete" });
  const state = { ...done, appendedSteps: [...done.appendedSteps, ...steps] };
  await report(run, { ...event, phase: "complete" }, state);
  return steps;
}

async function submit(
  run: Run,
  parameters: {
    event: ItemKey & { step: Step; txHash: undefined };
    post: SignatureData["post"];
    signature: Hex;
  },
): Promise<readonly Step[]> {
  const { event, post, signature } = parameters;
  const { body, endpoint } = post;
  let isAsked = false;
  try {
    assertNotAborted(run);
    // The order may have expired while the user was signing.
    assertProven(run, { ...event, stepId: event.step.id });
    isAsked = true;
    const { steps = [] } = await submitSignature(run.client, {
      body,
      endpoint,
      signal: run.signal,
      signature,
    });
    return steps;
  } catch (error) {
    if (!isAsked || wasRefused(error)) {
      await report(run, { ...event, phase: "notDone" }, removeItem(run.state, event));
    }
    throw error;
  }
}

/** Status 400 to 499: the service rejected the signature. */
function wasRefused(error: unknown): boolean {
  return error instanceof HttpError && error.status >= 400 && error.status < 500;
}
