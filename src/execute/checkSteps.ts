import { isAddressEqual } from "viem";
import { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
import { isServicePath } from "../internal/joinUrl.ts";
import { type SignatureData, type Step, signatureKinds, stepKinds } from "../schema/quote/step.ts";
import { type Item, type Run, refuse } from "./Run.ts";

/**
 * Rejects steps before the first is executed: an unknown kind, a transaction for another chain than the origin or from
 * another account than the wallet's, an approval without calldata, a signature for another host.
 *
 * @param firstIndex Index of the first step within the whole execution.
 * @throws UnsupportedStepError, StepRejectedError
 */
export function checkSteps(run: Run, steps: readonly Step[], firstIndex: number): void {
  for (const [offset, step] of steps.entries()) {
    const stepIndex = firstIndex + offset;
    // The schema accepts kinds that its types do not name.
    if (!(stepKinds as readonly string[]).includes(step.kind))
      throw unsupported({ step, stepIndex }, step.kind);
    for (const [itemIndex, { status }] of step.items.entries()) {
      if (status === "complete") continue;
      const item = { itemIndex, step, stepIndex };
      const fault =
        status === "incomplete" ? findFault(run, item) : `its status is "${status}", which is not known`;
      if (fault !== undefined) throw refuse(item, fault);
    }
  }
}

function findFault({ originChainId, wallet }: Run, item: Item): string | undefined {
  const { itemIndex, step } = item;
  if (step.kind === "signature") return findSignatureFault(item, step.items[itemIndex]?.data);
  const data = step.items[itemIndex]?.data;
  if (data === undefined) return "it carries no data";
  if (data.to === undefined) {
    const isOther = data.action === undefined;
    throw unsupported(item, isOther ? "transaction of a chain that is not an EVM chain" : "exchange action");
  }
  if (data.chainId !== undefined && data.chainId !== originChainId) {
    return `it is for chain ${data.chainId}, but the quote's origin is chain ${originChainId}`;
  }
  if (data.from !== undefined && !isAddressEqual(data.from, wallet.address)) {
    return `it is to be sent by ${data.from}, but the wallet's account is ${wallet.address}`;
  }
  const isEmpty = data.data === undefined || data.data === "0x";
  return step.id === "approve" && isEmpty ? "it is an approval without calldata" : undefined;
}

function findSignatureFault(item: Item, data: SignatureData | undefined): string | undefined {
  if (data === undefined) return "it carries no data";
  const { post, sign } = data;
  const { signatureKind } = sign;
  if (!(signatureKinds as readonly string[]).includes(signatureKind)) {
    throw unsupported(item, `signatureKind ${signatureKind}`);
  }
  if (post.method.toUpperCase() !== "POST") return `its method is ${post.method}`;
  // Only a path keeps the signature on the service's host.
  if (!isServicePath(post.endpoint)) return "its endpoint is not a path of the service";
  if (sign.signatureKind === "eip191" || isExact(sign.value)) return undefined;
  return "it would sign a number that JSON cannot carry exactly";
}

/** The JSON parser rounds numbers above 2^53. */
function isExact(value: unknown): boolean {
  if (typeof value === "number") return Number.isSafeInteger(value);
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every(isExact);
}

function unsupported({ step, stepIndex }: Omit<Item, "itemIndex">, kind: string): UnsupportedStepError {
  return new UnsupportedStepError({ kind, stepId: step.id, stepIndex });
}
