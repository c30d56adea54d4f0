import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { bytes32Schema } from "../../schema/wire/hex.ts";

/**
 * Validates a request id before it becomes part of a URL.
 *
 * @throws InvalidParameterError when it is not 32 bytes in hexadecimal.
 */
export function assertRequestId(requestId: string): void {
  if (bytes32Schema.safeParse(requestId).success) return;
  throw new InvalidParameterError({ parameter: "requestId", reason: "not 32 bytes in hexadecimal" });
}
