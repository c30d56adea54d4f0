import { isAddressEqual } from "viem";
import { UnsupportedStepError } from "../errors/UnsupportedStepError.ts";
import { isServicePath } from "../internal/joinUrl.ts";
import { type ExchangeActionData, signatureKinds, stepKinds } from "../schema/quote/step.ts";
import { type Item, isTransaction, type Run, refuse, type SignatureItem } from "./Run.ts";

/** Limits appended steps, so that the service cannot prolong a run without end. */
const mostAppendedSteps = 16;

/** Rejects a run's items before the first is executed. With a proof, they are proven too; these sentences say more. */
export function checkItems(run: Run): void {
  for (const item of run.items) {
    const { status, step } = item;
    // The schema accepts kinds that its types do not name.
    if (!(stepKinds as readonly string[]).includes(step.kind)) throw unsupported(item, step.kind);
    if (status === "complete") continue;
    const isKnown = status === "incomplete";
    const fault = isKnown ? findFault(run, item) : `its status is ${status}`;
    if (fault !== undefined) throw refuse(item, fault);
  }
  const last = run.items.at(-1);
  if (last !== undefined && run.state.appendedSteps.length > mostAppendedSteps) {
    throw refuse(last, `the service appended more than ${mostAppendedSteps} steps`);
  }
}

function findFault({ originChainId, wallet }: Run, item: Item): string | undefined {
  if (item.data === undefined) return "it carries no data";
  if (item.step.kind === "signature") return findSignatureFault(item as SignatureItem);
  if (!isTransaction(item)) {
    const isAction = (item.data as Partial<ExchangeActionData>).action !== undefined;
    throw unsupported(item, isAction ? "exchange action" : "transaction of a chain that is not an EVM chain");
  }
  const { chainId, data = "0x", from } = item.data;
  if (chainId !== undefined && chainId !== originChainId) {
    return `it is for chain ${chainId}, but the quote's origin is chain ${originChainId}`;
  }
  if (from !== undefined && !isAddressEqual(from, wallet.account.address)) {
    return `it is to be sent by ${from}, but the wallet's account is ${wallet.account.address}`;
  }
  return item.step.id === "approve" && data === "0x" ? "it is an approval without calldata" : undefined;
}

function findSignatureFault(item: SignatureItem): string | undefined {
  const { post, sign } = item.data;
  const { signatureKind } = sign;
  if (!(signatureKinds as readonly string[]).includes(signatureKind)) {
    throw unsupported(item, `signatureKind ${signatureKind}`);
  }
  if (post.method.toUpperCase() !== "POST") return `its method is ${post.method}`;
  // Only a path keeps the signature on the service's host.
  return isServicePath(post.endpoint) ? undefined : "its endpoint is not a path of the service";
}

function unsupported({ step, stepIndex }: Item, kind: string): UnsupportedStepError {
  return new UnsupportedStepError({ kind, stepId: step.id, stepIndex });
}
