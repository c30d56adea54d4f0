import { type Address, isAddressEqual } from "viem";
import { StepRejectedError } from "../errors/StepRejectedError.ts";
import { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
import { isServicePath } from "../internal/joinUrl.ts";
import {
  type SignatureStep,
  type Step,
  signatureKinds,
  stepKinds,
  type TransactionStep,
} from "../schema/quote/step.ts";

/** Expected values of the steps. */
export type CheckStepsParameters = {
  /** Address of the wallet. */
  account: Address;
  /** Index of the first step within the whole execution. */
  firstIndex: number;
  originChainId: number;
  steps: readonly Step[];
};

type ItemCheck = { account: Address; itemIndex: number; originChainId: number; stepIndex: number };

/**
 * Rejects steps before the first is executed: an unknown kind, a transaction for another chain than the origin or from
 * another account than the wallet's, an approval without calldata, a signature for another host.
 *
 * @throws UnsupportedStepError, StepRejectedError
 */
export function checkSteps({ account, firstIndex, originChainId, steps }: CheckStepsParameters): void {
  steps.forEach((step, offset) => {
    const stepIndex = firstIndex + offset;
    assertKnownKind(step, stepIndex);
    for (const [itemIndex, { status }] of step.items.entries()) {
      if (status === "complete") continue;
      const check = { account, itemIndex, originChainId, stepIndex };
      if (status !== "incomplete") reject(step, check, `its status is "${status}", which is not known`);
      if (step.kind === "transaction") checkTransaction(step, check);
      else checkSignature(step, check);
    }
  });
}

/** The schema accepts kinds that its type does not name. */
function assertKnownKind({ id, kind }: Step, stepIndex: number): void {
  if ((stepKinds as readonly string[]).includes(kind)) return;
  throw new UnsupportedStepError({ kind, stepId: id, stepIndex });
}

function checkTransaction(step: TransactionStep, check: ItemCheck): void {
  const { account, itemIndex, originChainId, stepIndex } = check;
  const data = step.items[itemIndex]?.data;
  if (data === undefined) reject(step, check, "it carries no data");
  if (data.to === undefined) {
    const kind =
      data.action === undefined ? "transaction of a chain that is not an EVM chain" : "exchange action";
    throw new UnsupportedStepError({ kind, stepId: step.id, stepIndex });
  }
  if (data.chainId !== undefined && data.chainId !== originChainId) {
    reject(step, check, `it is for chain ${data.chainId}, but the quote's origin is chain ${originChainId}`);
  }
  if (data.from !== undefined && !isAddressEqual(data.from, account)) {
    reject(step, check, `it is to be sent by ${data.from}, but the wallet's account is ${account}`);
  }
  if (step.id === "approve" && (data.data === undefined || data.data === "0x")) {
    reject(step, check, "it is an approval without calldata");
  }
}

function checkSignature(step: SignatureStep, check: ItemCheck): void {
  const { itemIndex, stepIndex } = check;
  const data = step.items[itemIndex]?.data;
  if (data === undefined) reject(step, check, "it carries no data");
  const { post, sign } = data;
  const { signatureKind } = sign;
  if (!(signatureKinds as readonly string[]).includes(signatureKind)) {
    throw new UnsupportedStepError({ kind: `signatureKind ${signatureKind}`, stepId: step.id, stepIndex });
  }
  if (post.method.toUpperCase() !== "POST") reject(step, check, `its method is ${post.method}`);
  // Only a path keeps the signature on the service's host.
  if (!isServicePath(post.endpoint)) reject(step, check, "its endpoint is not a path of the service");
  if (sign.signatureKind === "eip712" && !isExact(sign.value)) {
    reject(step, check, "it would sign a number that JSON cannot carry exactly");
  }
}

/** The JSON parser rounds numbers above 2^53. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact);
}

function reject(step: Step, { itemIndex, stepIndex }: ItemCheck, reason: string): never {
  throw new StepRejectedError({ itemIndex, reason, stepId: step.id, stepIndex });
}
