import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { bytes32Schema } from "../../schema/wire/hex.ts";

/**
 * Validates a request id before it becomes part of a URL.
 *
 * @throws InvalidParameterError when it is not 32 bytes in hexadecimal.
 *
 * @example
 * assertRequestId("0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a");
 */
export function assertRequestId(requestId: string): void {
  if (bytes32Schema.safeParse(requestId).success) return;
  throw new InvalidParameterError({ parameter: "requestId", reason: "not 32 bytes in hexadecimal" });
}
