import { BaseError } from "../../../src/errors/BaseError.ts";

/**
 * A database that cannot be opened: missing, unreachable, or unreadable.
 *
 * @example
 * import { StoreUnavailableError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof StoreUnavailableError) console.log(error.message);
 * }
 */
export class StoreUnavailableError extends BaseError {
  override readonly name = "StoreUnavailableError";

  constructor({ cause, where }: { cause: unknown; where: string }) {
    super(`${where} cannot be opened${cause instanceof Error ? `: ${cause.message}` : ""}.`, {
      cause,
      code: "STORE_UNAVAILABLE",
    });
  }
}

/**
 * A connection to the database was lost, or could not be made, while the emulator runs. A write in flight may have been
 * committed.
 *
 * @example
 * import { StoreConnectionLostError, startEmulator } from "@waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * try {
 *   await emulator.control.clock.freeze();
 * } catch (error) {
 *   if (error instanceof StoreConnectionLostError) console.log("try again in a second");
 * }
 * await emulator.stop();
 */
export class StoreConnectionLostError extends BaseError {
  override readonly name = "StoreConnectionLostError";

  constructor(details: string) {
    super("The database is unreachable.", { code: "STORE_CONNECTION_LOST", details, retryable: true });
  }
}

/**
 * A database in use by another process: a SQLite file, or a PostgreSQL database to be emptied.
 *
 * @example
 * import { StoreLockedError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof StoreLockedError) console.log(error.message);
 * }
 */
export class StoreLockedError extends BaseError {
  override readonly name = "StoreLockedError";

  /** @param remedy Advice that completes the sentence. */
  constructor({ cause, remedy, where }: { cause?: unknown; remedy: string; where: string }) {
    super(`${where} is in use by another process: ${remedy}.`, { cause, code: "STORE_LOCKED" });
  }
}

/**
 * A database whose schema cannot be brought up to date, for example one of a newer version.
 *
 * @example
 * import { StoreSchemaError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof StoreSchemaError) console.log(error.message);
 * }
 */
export class StoreSchemaError extends BaseError {
  override readonly name = "StoreSchemaError";

  constructor({ cause, where }: { cause: unknown; where: string }) {
    super(`The schema of ${where} could not be brought up to date.`, { cause, code: "STORE_SCHEMA" });
  }
}

/**
 * A missing package that only some databases need.
 *
 * @example
 * import { StorePackageMissingError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, database: ":memory:" });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof StorePackageMissingError) console.log(error.message);
 * }
 */
export class StorePackageMissingError extends BaseError {
  override readonly name = "StorePackageMissingError";

  constructor({ cause, packageName }: { cause: unknown; packageName: string }) {
    super(`This database needs the package \`${packageName}\`: run \`npm install ${packageName}\`.`, {
      cause,
      code: "STORE_PACKAGE_MISSING",
    });
  }
}
