import type { QuoteRequest } from "../../../src/schema/quote/quoteRequest.ts";
import { isEvmChain, type Place } from "../../context/places.ts";
import { QuoteError } from "../../errors/QuoteError.ts";

/** Versions of the protocol: `v1` pays the solver under the requestId, `v2` the depository under the orderId. */
export type ProtocolVersion = "v1" | "v2";

/** Reads the version of the protocol. */
export function protocolVersionOf(request: QuoteRequest, origin: Place): ProtocolVersion {
  const { originGasOverhead = 0, protocolVersion = "v2", useDepositAddress, usePermit } = request;
  if (protocolVersion === "v2") return "v2";
  if (protocolVersion !== "v1") throw refusal(`there is no \`protocolVersion\` ${protocolVersion}`);
  if (!isEvmChain(origin)) throw refusal("`protocolVersion` v1 is for EVM chains only");
  if (usePermit === true || useDepositAddress === true || originGasOverhead > 0) {
    throw refusal("`protocolVersion` v1 takes the user's own transfer only");
  }
  return "v1";
}

function refusal(message: string): QuoteError {
  return new QuoteError("UNSUPPORTED_EXECUTION_TYPE", message);
}
