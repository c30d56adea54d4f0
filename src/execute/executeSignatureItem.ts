import type { Hex, TypedDataDomain } from "viem";
import { submitSignature } from "../client/submitSignature.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import type { Eip191Sign, Eip712Sign, SignatureData, SignatureStep, Step } from "../schema/quote/step.ts";
import { findItem, type ItemKey, removeItem, setItem } from "./ExecutionState.ts";
import { assertNotAborted } from "./executeTransactionItem.ts";
import { assertProven, type Run, report } from "./Run.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";

/** Parameters of {@link executeSignatureItem}. */
export type ExecuteSignatureItemParameters = ItemKey & {
  post: SignatureData["post"];
  sign: Eip191Sign | Eip712Sign;
  step: SignatureStep;
};

/**
 * Signs an item and submits the signature. Submits the same signature again when a run was interrupted: a token takes it
 * once. Whatever the service answers, it has the signature and may use it.
 *
 * @returns The steps that the service appended.
 * @throws WalletFailedError: nothing was signed. PaymentUnsettledError; AbortedError.
 */
export async function executeSignatureItem(
  run: Run,
  { itemIndex, post, sign, step, stepIndex }: ExecuteSignatureItemParameters,
): Promise<readonly Step[]> {
  const { client, signal } = run;
  const key = { itemIndex, stepIndex };
  const event = { ...key, step, txHash: undefined };
  const stepId = step.id;
  const recorded = findItem(run.state, key)?.signature;
  let signature: Hex;
  if (recorded === undefined) {
    assertProven(run, { ...key, stepId });
    await report(run, { ...event, phase: "signing" });
    assertNotAborted(run);
    signature = await signStep(run, { sign, stepId });
    const signed = setItem(run.state, { ...key, signature, status: "signed" });
    await report(run, { ...event, phase: "submitting" }, signed);
    try {
      assertNotAborted(run);
      // The order may have expired while the user was signing.
      assertProven(run, { ...key, stepId });
    } catch (error) {
      await report(run, { ...event, phase: "notDone" }, removeItem(run.state, key));
      throw error;
    }
  } else {
    assertNotAborted(run);
    assertProven(run, { ...key, stepId });
    signature = recorded;
  }
  const { body, endpoint } = post;
  const { steps = [] } = await submitSignature(client, { body, endpoint, signal, signature }).catch(
    (cause: unknown) => {
      throw signal?.aborted === true ? cause : new PaymentUnsettledError({ cause, stepId });
    },
  );
  const done = setItem(run.state, { ...key, status: "complete" });
  const state = { ...done, appendedSteps: [...done.appendedSteps, ...steps] };
  await report(run, { ...event, phase: "complete" }, state);
  return steps;
}

/**
 * Requests the signature of a signature step from the wallet.
 *
 * @throws WalletFailedError, always with outcome `notDone`: without a signature, nothing was submitted.
 */
export async function signStep(
  { wallet }: Run,
  { sign, stepId }: { sign: Eip191Sign | Eip712Sign; stepId: string },
): Promise<Hex> {
  try {
    if (sign.signatureKind === "eip191") {
      return await wallet.signMessage(readMessage(sign.message));
    }
    const { domain, primaryType, value: message } = sign;
    // viem would hash a quote's own `EIP712Domain` and ethers drop it: both derive it from the domain's fields.
    const { EIP712Domain: _, ...types } = sign.types;
    return await wallet.signTypedData({ domain: readDomain(domain), message, primaryType, types });
  } catch (cause) {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  }
}

/** 32 bytes in hexadecimal are a digest to sign as bytes; other values are text. */
function readMessage(message: string): string | { raw: Hex } {
  return isDigest(message) ? { raw: message } : message;
}

function isDigest(message: string): message is Hex {
  return /^0x[0-9a-fA-F]{64}$/.test(message);
}

/** Wallets expect a number if it is safe. Omits fields that no domain has: they would change the signed digest. */
function readDomain({
  chainId,
  name,
  salt,
  verifyingContract,
  version,
}: Eip712Sign["domain"]): TypedDataDomain {
  const exact = chainId === undefined ? undefined : BigInt(chainId);
  const fits = exact !== undefined && exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return { chainId: fits ? Number(exact) : exact, name, salt, verifyingContract, version };
}
