import { BaseError } from "../../src/errors/BaseError.ts";

/**
 * The control cannot make the requested change; the message names the reason and, if there is one, a remedy.
 *
 * @example
 * import { ControlRefusedError, startEmulator } from "@waybill/emulator";
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
