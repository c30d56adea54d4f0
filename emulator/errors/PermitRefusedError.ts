/** The service refuses a permit signature; the message says why. Nothing has changed. */
export class PermitRefusedError extends Error {
  override readonly name = "PermitRefusedError";
}
