import type { Hex, TypedDataDomain } from "viem";
import { submitSignature } from "../client/submitSignature.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import type { Eip191Sign, Eip712Sign, SignatureData, Step } from "../schema/quote/step.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { findItem } from "./ExecutionState.ts";
import { assertNotAborted, assertProven, type Item, type Run, report } from "./Run.ts";
import { toWalletFailedError } from "./toWalletFailedError.ts";

type SignatureItem = Item & { readonly data: SignatureData };

/**
 * Signs an item and submits the signature. Submits the same signature again when a run was interrupted: a token takes it
 * once. Whatever the service answers, it has the signature and may use it.
 *
 * @returns The steps that the service appended.
 * @throws WalletFailedError: nothing was signed. PaymentUnsettledError; AbortedError.
 */
export async function executeSignatureItem(run: Run, item: SignatureItem): Promise<readonly Step[]> {
  const { client, signal } = run;
  const { body, endpoint } = item.data.post;
  const recorded = findItem(run.state, item)?.signature;
  const signature = recorded ?? (await sign(run, item));
  try {
    assertNotAborted(run);
    // The order may have expired while the user was signing.
    assertProven(run, item);
  } catch (error) {
    // A recorded signature may have been submitted by an earlier run.
    if (recorded === undefined) await report(run, item, "notDone", null);
    throw error;
  }
  const { steps = [] } = await submitSignature(client, { body, endpoint, signal, signature }).catch(
    (cause: unknown) => {
      throw signal?.aborted === true ? cause : new PaymentUnsettledError({ cause, stepId: item.step.id });
    },
  );
  run.state = { ...run.state, appendedSteps: [...run.state.appendedSteps, ...steps] };
  await report(run, item, "complete", { status: "complete" });
  return steps;
}

async function sign(run: Run, item: SignatureItem): Promise<Hex> {
  assertProven(run, item);
  await report(run, item, "signing");
  assertNotAborted(run);
  const signature = await signStep(run, { sign: item.data.sign, stepId: item.step.id });
  await report(run, item, "submitting", { signature, status: "signed" });
  return signature;
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
      // 32 bytes in hexadecimal are a digest to sign as bytes; other values are text.
      const digest = bytes32Schema.safeParse(sign.message);
      return await wallet.signMessage(digest.success ? { raw: digest.data } : sign.message);
    }
    const { domain, primaryType, value: message } = sign;
    // viem would hash a quote's own `EIP712Domain` and ethers drop it: both derive it from the domain's fields.
    const { EIP712Domain: _, ...types } = sign.types;
    return await wallet.signTypedData({ domain: readDomain(domain), message, primaryType, types });
  } catch (cause) {
    throw toWalletFailedError(cause, { leavesNothing: true, stepId });
  }
}

/** Wallets expect a number if it is safe. Omits fields that no domain has: they would change the signed digest. */
function readDomain({ chainId, ...given }: Eip712Sign["domain"]): TypedDataDomain {
  const { name, salt, verifyingContract, version } = given;
  const exact = chainId === undefined ? undefined : BigInt(chainId);
  const fits = exact !== undefined && exact <= BigInt(Number.MAX_SAFE_INTEGER);
  return { chainId: fits ? Number(exact) : exact, name, salt, verifyingContract, version };
}
