/** A signature that is not taken; the message says why. Nothing has changed. */
export class PermitRefusedError extends Error {
  override readonly name = "PermitRefusedError";
}
