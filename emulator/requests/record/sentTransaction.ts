import {
  decodeFunctionData,
  erc20Abi,
  type Hex,
  parseTransaction,
  type TransactionSerialized,
  zeroHash,
} from "viem";
import { parseExchangeAmount } from "../../../src/perps/amounts.ts";
import type { ExchangeRequest } from "../../../src/schema/quote/exchangeAction.ts";
import { decodeSvmAddress } from "../../../src/svm/address.ts";
import { decodeSvmTransaction } from "../../chains/svm/decodeSvmTransaction.ts";
import type { SvmChain } from "../../chains/svm/SvmChain.ts";
import { svmParts } from "../../chains/svm/svmParts.ts";
import { isSvmChain } from "../../context/places.ts";
import { readSigned, receivedAsset } from "../../perps/signAction.ts";
import type { TransactionRow } from "../../store/tables.ts";
import type { RequestParts } from "./RequestParts.ts";

/** A decoded transaction of the solver. */
type SentTransaction = {
  readonly to: string;
  readonly value: bigint;
  /** Calldata, the posted JSON of an action on the exchange, or the wire format of a transaction on the SVM chain. */
  readonly data: string;
  /** Currency and amount of a plain transfer, native or of a token; `undefined` for any other call. */
  readonly transfer: { readonly currency: string; readonly amount: bigint } | undefined;
};

const native = "0x0000000000000000000000000000000000000000";
const transferSelector = "0xa9059cbb";

/** Decodes signed bytes; `undefined` unless they are a transaction. */
export function sentTransaction(
  { chain_id, raw }: Pick<TransactionRow, "chain_id" | "raw">,
  { chains }: Pick<RequestParts, "chains">,
): SentTransaction | undefined {
  const place = chains.get(chain_id);
  if (place !== undefined && isSvmChain(place)) return sentOnSvm(Buffer.from(raw, "base64"), place);
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

/** First bytes of the instructions that move lamports and tokens. */
const [transferLamports, transferTokens] = [2, 12];

/** The payment's instructions are those of `paymentInstructions` and `swappedPaymentInstructions`. */
function sentOnSvm(wire: Uint8Array, chain: SvmChain): SentTransaction {
  const { packages } = svmParts(chain);
  const { instructions } = decodeSvmTransaction(wire, packages);
  const by = (program: string) => instructions.find((each) => each.program === program);
  const data = `0x${Buffer.from(wire).toString("hex")}`;
  const native = by(packages.system.SYSTEM_PROGRAM_ADDRESS);
  if (native?.data[0] === transferLamports) {
    const [, to = ""] = native.accounts;
    return { data, to, transfer: { amount: amountAt(native.data, 4), currency: zeroHash }, value: 0n };
  }
  // The recipient's token account is created first, unless it exists.
  const [, , to = ""] = by(packages.token.ASSOCIATED_TOKEN_PROGRAM_ADDRESS)?.accounts ?? [];
  const paid = by(packages.token.TOKEN_PROGRAM_ADDRESS);
  const [, mint] = paid?.accounts ?? [];
  if (paid?.data[0] !== transferTokens || mint === undefined)
    return { data, to, transfer: undefined, value: 0n };
  const currency = decodeSvmAddress({ address: mint });
  return { data, to, transfer: { amount: amountAt(paid.data, 1), currency }, value: 0n };
}

/** 64 bits, the lowest first. */
function amountAt(data: Uint8Array, offset: number): bigint {
  return Buffer.from(data).readBigUInt64LE(offset);
}
