import {
  type Address,
  getAddress,
  type Hex,
  hashTypedData,
  serializeSignature,
  type TypedDataDefinition,
} from "viem";
import { InvalidParameterError } from "../errors/InvalidParameterError.ts";
import { readAddress } from "../internal/readAddress.ts";
import { readObject } from "../internal/readParts.ts";
import { parseSignature, recoverSigner } from "../records/recoverSigner.ts";
import { SignatureInvalidError } from "../records/SignatureInvalidError.ts";
import type { ExchangeRequest } from "../schema/quote/exchangeAction.ts";
import { type NonceMappingBodyReturnType, nonceMappingBody, nonceMappingTypedData } from "./nonceMapping.ts";
import { sendAssetTypedData } from "./sendAsset.ts";
import { isProven, type Withdrawal } from "./Withdrawal.ts";
import { WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

/** Typed data of any types, for both kinds signed here. */
export type ExchangeTypedData = TypedDataDefinition<Record<string, unknown>, string>;

/** Signing part of an account: of `viem/accounts`, or functions of a wallet. */
export type ExchangeSigner = {
  readonly address: Address;
  readonly signTypedData: (typedData: ExchangeTypedData) => Promise<Hex>;
};

export type SignWithdrawalParameters = {
  account: ExchangeSigner;
  /** The object that `verifyWithdrawal` returned. Copies are refused. */
  withdrawal: Withdrawal;
};

export type SignWithdrawalReturnType = {
  /** Parameters of `authorize` of `waybill/client`, for `endpoint`. Submit first. */
  readonly authorize: {
    readonly body: NonceMappingBodyReturnType;
    readonly endpoint: string;
    readonly signature: Hex;
  };
  /** Parameters of `submitExchangeAction`. Submit second. */
  readonly deposit: ExchangeRequest;
};

/**
 * Signs both parts of a withdrawal with the same nonce and chain. Recovers each signature before returning it: the
 * exchange derives the account from the signature.
 *
 * @returns The submission to the service, then the one to the exchange.
 * @throws {InvalidParameterError} For an invalid argument, by name; `withdrawal` if `verifyWithdrawal` did not return it.
 * @throws {SignatureInvalidError} For a signature that no key can produce.
 * @throws {WithdrawalInvalidError} When the account or the recovered signer is not the withdrawal's.
 *
 * @example
 * import { mnemonicToAccount } from "viem/accounts";
 * import { authorize, createClient, production } from "waybill/client";
 * import { signWithdrawal, submitExchangeAction, type Withdrawal } from "waybill/perps";
 *
 * declare const withdrawal: Withdrawal;
 * const account = mnemonicToAccount("test test test test test test test test test test test junk");
 * const signed = await signWithdrawal({ account, withdrawal });
 * const { body, signature } = signed.authorize;
 * await authorize(createClient(production), { ...body, signature });
 * await submitExchangeAction({ request: signed.deposit, url: production.exchangeUrl });
 */
export async function signWithdrawal({
  account,
  withdrawal,
}: SignWithdrawalParameters): Promise<SignWithdrawalReturnType> {
  if (typeof readObject(account, "account").signTypedData !== "function") {
    throw new InvalidParameterError({ parameter: "account", reason: "it cannot sign typed data" });
  }
  if (!isProven(readObject(withdrawal, "withdrawal"))) {
    const reason = "it is not the object that `verifyWithdrawal` returned";
    throw new InvalidParameterError({ parameter: "withdrawal", reason });
  }
  const { authorize, chainId, deposit, nonce, wallet } = withdrawal;
  expectSigner("account.address", wallet, readAddress(account.address, "account.address"));
  const mapping = nonceMappingTypedData({ ...authorize.mapping, chainId, nonce });
  const action = sendAssetTypedData({ chainId, parameters: deposit.parameters });
  const signature = await signAs(account, mapping, "withdrawal.authorize");
  const split = splitExchangeSignature({
    signature: await signAs(account, action, "withdrawal.deposit"),
  });
  return {
    authorize: {
      body: nonceMappingBody({ ...authorize.mapping, chainId, nonce }),
      endpoint: authorize.endpoint,
      signature,
    },
    deposit: { action: action.message, nonce: Number(nonce), signature: split },
  };
}

/** Normalises `v` to 27 or 28. */
async function signAs(account: ExchangeSigner, typedData: ExchangeTypedData, path: string): Promise<Hex> {
  const { r, s, v } = splitExchangeSignature({ signature: await account.signTypedData(typedData) });
  const signature = serializeSignature({ r, s, v: BigInt(v) });
  const signer = await recoverSigner({ digest: hashTypedData(typedData), signature });
  expectSigner(path, account.address, signer);
  return signature;
}

function expectSigner(path: string, expected: Address, actual: Address): void {
  if (getAddress(expected) === getAddress(actual)) return;
  throw new WithdrawalInvalidError({ actual, expected, fault: "signer-mismatch", path });
}

export type SplitExchangeSignatureParameters = {
  /** 65 bytes, or the 64 bytes of ERC-2098. */
  signature: Hex;
};

export type SplitExchangeSignatureReturnType = {
  readonly r: Hex;
  readonly s: Hex;
  readonly v: 27 | 28;
};

/**
 * Splits a signature for the exchange, with a numeric `v`. Converts a `v` of 0 or 1 from some wallets to 27 or 28.
 *
 * @returns `r` and `s`, 32 bytes each, and `v`.
 * @throws {SignatureInvalidError} For another length, a high `s`, or another `v`.
 *
 * @example
 * import { splitExchangeSignature } from "waybill/perps";
 *
 * splitExchangeSignature({ signature: `0x${"11".repeat(64)}1b` }).v; // 27
 */
export function splitExchangeSignature({
  signature,
}: SplitExchangeSignatureParameters): SplitExchangeSignatureReturnType {
  const { r, s, v } = parseSignature(signature);
  if (v === 0 || v === 27) return { r, s, v: 27 };
  if (v === 1 || v === 28) return { r, s, v: 28 };
  throw new SignatureInvalidError({ fault: "recovers-nobody" });
}
