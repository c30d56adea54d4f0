import { BaseError } from "../../src/errors/BaseError.ts";

/**
 * Something that the control cannot do, or not any more; it says what can be done instead.
 *
 * @example
 * import { ControlRefusedError, startEmulator } from "waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * try {
 *   await emulator.control.clock.set(1);
 * } catch (error) {
 *   console.log(error instanceof ControlRefusedError); // true
 * } finally {
 *   await emulator.stop();
 * }
 */
export class ControlRefusedError extends BaseError {
  override readonly name = "ControlRefusedError";

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause, code: "CONTROL_REFUSED" });
  }
}
