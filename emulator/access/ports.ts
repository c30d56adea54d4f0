import { createServer } from "node:net";
import { BaseError } from "../../src/errors/BaseError.ts";

/**
 * The port is in use by another process.
 *
 * @example
 * import { PortInUseError, startEmulator } from "@waybill/emulator";
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
 * Whether a port is free to listen on; port 0 always is.
 *
 * @throws BaseError `PORT_UNUSABLE` for an address of another machine and for a privileged port.
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

export async function assertPortFree(port: number, hostname: string): Promise<void> {
  if (!(await isPortFree(port, hostname))) throw new PortInUseError({ hostname, port });
}
