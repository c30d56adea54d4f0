import { BaseError } from "../../../src/errors/BaseError.ts";

/**
 * An upstream that does not serve the state that a fork needs, after retries. The message names chain and block.
 *
 * @example
 * import { ForkUpstreamError, startEmulator } from "@waybill/emulator";
 *
 * try {
 *   const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 *   await emulator.stop();
 * } catch (error) {
 *   if (error instanceof ForkUpstreamError) console.log(error.chainId, error.block);
 * }
 */
export class ForkUpstreamError extends BaseError {
  override readonly name = "ForkUpstreamError";
  readonly chainId: number;
  /** Number of the block, or `latest` before it is known. */
  readonly block: number | "latest";

  constructor({
    block,
    cause,
    chainId,
    reason,
  }: {
    block: number | "latest";
    cause?: unknown;
    chainId: number;
    reason: string;
  }) {
    const at = block === "latest" ? "its newest block" : `block ${block}`;
    super(`The fork of chain ${chainId} cannot read ${at} from its upstream: ${reason}.`, {
      cause,
      code: "FORK_UPSTREAM_FAILED",
    });
    this.chainId = chainId;
    this.block = block;
  }
}
