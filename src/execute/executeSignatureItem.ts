import type { Hex } from "viem";
import { signMessage, signTypedData } from "viem/actions";
import { submitSignature } from "../client/submitSignature.ts";
import { PaymentUnsettledError } from "../errors/PaymentUnsettledError.ts";
import { readHex } from "../internal/readHex.ts";
import type { Eip191Sign, Eip712Sign } from "../schema/quote/step.ts";
import { bytes32Schema } from "../schema/wire/hex.ts";
import { findItem } from "./ExecutionState.ts";
import { assertNotAborted, assertProven, type Run, recheck, report, type SignatureItem } from "./Run.ts";
import { throwNothingSent } from "./toWalletFailedError.ts";

/**
 * Signs an item, submits the signature, and records the steps that the service appends. Submits the same signature again
 * when a run was interrupted: a token takes it once. Whatever the service answers, it has the signature and may use it.
 */
export async function executeSignatureItem(run: Run, item: SignatureItem): Promise<void> {
  const { client, signal } = run;
  const { body, endpoint } = item.data.post;
  const stepId = item.step.id;
  assertProven(run, item);
  const signature = findItem(run.state, item)?.signature ?? (await sign(run, item));
  const submitted = submitSignature(client, { body, endpoint, signal, signature });
  const { steps = [] } = await submitted.catch((cause: unknown) => {
    throw signal?.aborted === true ? cause : new PaymentUnsettledError({ cause, stepId });
  });
  run.state = { ...run.state, appendedSteps: [...run.state.appendedSteps, ...steps] };
  await report(run, item, "complete", { status: "complete" });
}

async function sign(run: Run, item: SignatureItem): Promise<Hex> {
  await report(run, item, "signing");
  assertNotAborted(run);
  assertProven(run, item);
  const signature = await signStep(run, { sign: item.data.sign, stepId: item.step.id });
  await report(run, item, "submitting", { signature, status: "signed" });
  // The order may have expired while the user was signing.
  await recheck(run, [item]);
  return signature;
}

/** A state with another text could not be read again. */
const readSignature = (answer: unknown) => readHex(answer, "the wallet's answer");

/** Requests the signature of a signature step. Of a wallet's error, nothing is left: nothing was submitted. */
export async function signStep(
  { wallet }: Pick<Run, "wallet">,
  { sign, stepId }: { sign: Eip191Sign | Eip712Sign; stepId: string },
): Promise<Hex> {
  const { account } = wallet;
  if (sign.signatureKind === "eip191") {
    // 32 bytes in hexadecimal are a digest to sign as bytes; other values are text.
    const digest = bytes32Schema.safeParse(sign.message);
    const message = digest.success ? { raw: digest.data } : sign.message;
    return signMessage(wallet, { account, message }).then(readSignature).catch(throwNothingSent(stepId));
  }
  // Omits fields that no domain has: they would change the signed digest.
  const { chainId, name, salt, verifyingContract, version } = sign.domain;
  const { primaryType, value: message } = sign;
  // viem would hash a quote's own `EIP712Domain` and ethers drop it: both derive it from the domain's fields.
  const { EIP712Domain: _, ...types } = sign.types;
  const chain = chainId === undefined ? {} : { chainId: Number(chainId) };
  const domain = { ...chain, name, salt, verifyingContract, version };
  return signTypedData(wallet, { account, domain, message, primaryType, types })
    .then(readSignature)
    .catch(throwNothingSent(stepId));
}
