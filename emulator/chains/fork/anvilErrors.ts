import { BaseError } from "../../../src/errors/BaseError.ts";

/** The package of anvil, which forks by anvil need. */
export const anvilPackage = "@foundry-rs/anvil";

/**
 * A fork by anvil was asked for, and anvil is not installed.
 *
 * @example
 * import { AnvilMissingError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof AnvilMissingError) console.log(error.message);
 * }
 */
export class AnvilMissingError extends BaseError {
  override readonly name = "AnvilMissingError";

  constructor() {
    super(
      `A fork by anvil needs the package \`${anvilPackage}\`: run \`npm install --save-dev ${anvilPackage}\`, or install Foundry.`,
      { code: "ANVIL_MISSING" },
    );
  }
}

/**
 * Anvil that ended before it listened, or listened too late.
 *
 * @example
 * import { AnvilFailedError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof AnvilFailedError) console.log(error.message);
 * }
 */
export class AnvilFailedError extends BaseError {
  override readonly name = "AnvilFailedError";

  constructor(reason: string) {
    super(`Anvil does not start: ${reason}.`, { code: "ANVIL_FAILED" });
  }
}
