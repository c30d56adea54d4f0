import { decodeFunctionData, erc20Abi, type Hex, parseTransaction, type TransactionSerialized } from "viem";
import { parseExchangeAmount } from "../../../src/perps/amounts.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { readSigned, receivedAsset } from "../../perps/signAction.ts";
import type { TransactionRow } from "../../store/tables.ts";

/** A decoded transaction of the solver. */
type SentTransaction = {
  readonly to: string;
  readonly value: bigint;
  /** Calldata, or the posted JSON of an action on the exchange. */
  readonly data: string;
  /** Currency and amount of a plain transfer, native or of a token; `undefined` for any other call. */
  readonly transfer: { readonly currency: string; readonly amount: bigint } | undefined;
};

const native = "0x0000000000000000000000000000000000000000";
const transferSelector = "0xa9059cbb";

/** Decodes signed bytes; `undefined` unless they are a transaction. */
export function sentTransaction({ raw }: Pick<TransactionRow, "raw">): SentTransaction | undefined {
  const action = readSigned(raw);
  if (action !== undefined) return sentAction(raw, action);
  try {
    const { data = "0x", to, value = 0n } = parseTransaction(raw as TransactionSerialized);
    if (to === undefined || to === null) return undefined;
    return { data, to: to.toLowerCase(), transfer: transferOf(to.toLowerCase(), value, data), value };
  } catch {
    return undefined;
  }
}

function sentAction(raw: string, request: ExchangeRequest): SentTransaction {
  const { amount, destination } = request.action;
  const asset = receivedAsset(request);
  const transfer = asset && {
    amount: parseExchangeAmount({ amount, decimals: asset.decimals }),
    currency: asset.address,
  };
  return { data: raw, to: destination, transfer, value: 0n };
}

function transferOf(to: string, value: bigint, data: Hex): SentTransaction["transfer"] {
  if (data.startsWith(transferSelector)) {
    const { args = [] } = decodeFunctionData({ abi: erc20Abi, data });
    return { amount: args[1] as bigint, currency: to };
  }
  // A native transfer carries the requestId as 32 bytes of calldata.
  return value > 0n && data.length <= 66 ? { amount: value, currency: native } : undefined;
}
