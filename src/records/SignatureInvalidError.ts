import { BaseError } from "../errors/BaseError.ts";

/** Faults of a signature that prevent recovery. */
export type SignatureFault = "length" | "s-too-high" | "recovers-nobody";

const sentences: Record<SignatureFault, string> = {
  length: "The signature is neither 65 nor 64 bytes of hex.",
  "s-too-high":
    "The signature's `s` lies in the upper half of the curve order, where anybody can mirror a valid one to.",
  "recovers-nobody": "No key can have made this signature.",
};

/**
 * The contracts reject the same signatures: `SignatureLengthInvalid`, `SignatureSTooHigh`, `SignatureRecoversNobody`.
 *
 * @example
 * import { recoverSigner, SignatureInvalidError } from "waybill";
 *
 * try {
 *   await recoverSigner({ digest: `0x${"11".repeat(32)}`, signature: "0x12" });
 * } catch (error) {
 *   if (error instanceof SignatureInvalidError) console.log(error.fault); // "length"
 * }
 */
export class SignatureInvalidError extends BaseError {
  override readonly name = "SignatureInvalidError";
  declare readonly fault: SignatureFault;

  constructor({ fault, cause }: { fault: SignatureFault; cause?: unknown }) {
    super(sentences[fault], { cause, code: "SIGNATURE_INVALID" });
    this.fault = fault;
  }
}
