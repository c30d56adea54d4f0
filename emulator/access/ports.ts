import { createServer } from "node:net";
import { BaseError } from "../../src/errors/BaseError.ts";

/**
 * A port that somebody else listens on.
 *
 * @example
 * import { PortInUseError, startEmulator } from "waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof PortInUseError) console.log(error.port);
 * }
 */
export class PortInUseError extends BaseError {
  override readonly name = "PortInUseError";
  readonly port: number;

  constructor({ port, hostname }: { port: number; hostname: string }) {
    super(`Port ${port} on ${hostname} is in use: choose another one, or 0 for any that is free.`, {
      code: "PORT_IN_USE",
    });
    this.port = port;
  }
}

/**
 * Whether a port can be listened on; 0 is any that can.
 *
 * @throws BaseError when none can there, or not that one: a name that is not of this machine, a port for the system alone.
 */
export async function isPortFree(port: number, hostname: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(false);
      else
        reject(
          new BaseError(`${hostname} cannot be listened on at port ${port}: ${error.code}.`, {
            cause: error,
            code: "PORT_UNUSABLE",
          }),
        );
    });
    probe.listen({ exclusive: true, host: hostname, port }, () => probe.close(() => resolve(true)));
  });
}

/** Fails with a sentence that names the port. */
export async function assertPortFree(port: number, hostname: string): Promise<void> {
  if (!(await isPortFree(port, hostname))) throw new PortInUseError({ hostname, port });
}
