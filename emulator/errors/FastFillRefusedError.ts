/** The service refuses a fast fill; the message says why. Nothing has changed. */
export class FastFillRefusedError extends Error {
  override readonly name = "FastFillRefusedError";
  /** HTTP status of the answer. */
  readonly status: 400 | 403 | 404 | 409;

  constructor(status: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.status = status;
  }
}
