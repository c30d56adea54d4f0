import { zeroAddress } from "viem";
import * as z from "zod/mini";
import { readAddress } from "../internal/readAddress.ts";
import { readChainId, readObject } from "../internal/readParts.ts";
import { nonceMappingSchema, sendAssetParametersSchema } from "../schema/quote/exchangeAction.ts";
import { eip712SignSchema, exchangeActionDataSchema } from "../schema/quote/step.ts";
import { authorizeRequestSchema } from "../schema/quote/submission.ts";
import { readBy } from "../schema/wire/readBy.ts";
import { uintStringSchema, wholeNumber } from "../schema/wire/wireAmount.ts";
import { parseExchangeAmount } from "./amounts.ts";
import { exchangeChainId } from "./constants.ts";
import { checkExchangeNonce, readNonce } from "./nonce.ts";
import { exchangeName, nonceMappingTypes } from "./nonceMapping.ts";
import { sendAssetMembers, sendAssetPrimaryType } from "./sendAsset.ts";
import type { UnprovenWithdrawal } from "./Withdrawal.ts";
import { type WithdrawalFault, WithdrawalInvalidError } from "./WithdrawalInvalidError.ts";

export type ReadWithdrawalParameters = {
  /** The wallet's active chain, for the domains of both signatures. Default: 1. */
  chainId?: number | undefined;
  /** Decimals of the sent token. Default: the quote's. */
  decimals?: number | undefined;
  /** Unix milliseconds. Default: the present. */
  now?: number | undefined;
  /** The quote from `getQuote`. Its amount is checked if present. */
  quote: { readonly details?: unknown; readonly steps: readonly unknown[] };
};

const authorizePath = "quote.steps[0].items[0].data";
const depositPath = "quote.steps[1].items[0].data";

const authorizeDataSchema = z.object({
  post: z.object({ body: authorizeRequestSchema, endpoint: z.string() }),
  sign: eip712SignSchema,
});
const detailsSchema = z.object({
  currencyIn: z.object({ amount: uintStringSchema, currency: z.object({ decimals: wholeNumber(0, 255) }) }),
});

/**
 * Parses the two steps of a withdrawal. Requires one nonce in all four places and within the exchange's window, the
 * quote's amount, one wallet, and exactly the known types. Sets the chain of both domains to the wallet's.
 * Does not prove what arrives: `verifyWithdrawal` does.
 *
 * @throws InvalidParameterError for an invalid part of the quote, by name.
 * @throws WithdrawalInvalidError with the fault, its path, and both values.
 */
export function readWithdrawal(parameters: ReadWithdrawalParameters): UnprovenWithdrawal {
  const { now, quote } = parameters;
  const chainId = readChainId(parameters.chainId ?? 1, "chainId");
  const { authorize, deposit } = readSteps(readObject(quote, "quote").steps);
  const { body, endpoint, value } = readAuthorize(authorize);
  const { nonce: dataNonce, parameters: sending } = readDeposit(deposit);

  const nonce = readNonce(value.nonce, `${authorizePath}.sign.value.nonce`);
  const nonces: readonly (readonly [string, unknown])[] = [
    [`${authorizePath}.post.body.nonce`, body.nonce],
    [`${depositPath}.action.parameters.nonce`, sending.nonce],
    // The action's own nonce is optional.
    [`${depositPath}.nonce`, dataNonce ?? value.nonce],
  ];
  for (const [path, other] of nonces) expectSame("nonce-mismatch", path, nonce, readNonce(other, path));
  expectInWindow(nonce, now);

  const wallet = readAddress(value.wallet, `${authorizePath}.sign.value.wallet`);
  const depositor = readAddress(value.depositor, `${authorizePath}.sign.value.depositor`);
  expectSame("wallet-mismatch", `${authorizePath}.post.body.wallet`, wallet, body.wallet);
  expectSame("wallet-mismatch", `${authorizePath}.post.body.depositor`, depositor, body.depositor);
  expectSame("order-mismatch", `${authorizePath}.post.body.id`, value.id, body.id);
  expectAmountOf(quote.details, sending.amount, parameters.decimals);

  return {
    authorize: { endpoint, mapping: { chainId, depositor, nonce, orderId: value.id, wallet } },
    chainId,
    deposit: { parameters: sending },
    nonce,
    orderId: value.id,
    wallet,
  };
}

/** Returns the data of the two items. Rejects any other number or order of items. */
function readSteps(steps: unknown): { authorize: unknown; deposit: unknown } {
  const [authorize, deposit] = (
    [
      ["authorize", "signature"],
      ["deposit", "transaction"],
    ] as const
  ).map(([id, kind], index) => {
    const step: unknown = Array.isArray(steps) && steps.length === 2 ? steps[index] : undefined;
    const { items, ...fields } = isObject(step) ? step : {};
    const item: unknown = Array.isArray(items) && items.length === 1 ? items[0] : undefined;
    if (fields.id === id && fields.kind === kind && isObject(item)) return item.data;
    throw new WithdrawalInvalidError({ fault: "steps", path: `quote.steps[${index}]` });
  });
  return { authorize, deposit };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function readAuthorize(data: unknown) {
  const { post, sign } = readBy(authorizeDataSchema, data, authorizePath);
  const at = (name: string) => `${authorizePath}.sign.${name}`;
  const expectText = (name: string, expected: string, actual: unknown) =>
    expectSame("typed-data", at(name), expected, actual);
  expectText("domain.name", "RelayNonceMapping", sign.domain.name);
  expectText("domain.version", "2", sign.domain.version);
  expectText("domain.verifyingContract", zeroAddress, sign.domain.verifyingContract);
  expectText("domain.salt", "none", sign.domain.salt ?? "none");
  expectText("primaryType", "NonceMapping", sign.primaryType);
  expectMembers(at("types.NonceMapping"), nonceMappingTypes.NonceMapping, sign.types.NonceMapping);
  const value = readBy(nonceMappingSchema, sign.value, at("value"));
  expectText("value.chainId", exchangeName, value.chainId);
  const { body, endpoint } = post;
  expectSame("typed-data", `${authorizePath}.post.body.walletChainId`, exchangeChainId, body.walletChainId);
  return { body, endpoint, value };
}

function readDeposit(data: unknown) {
  const { action, eip712PrimaryType, eip712Types, nonce } = readBy(
    exchangeActionDataSchema,
    data,
    depositPath,
  );
  expectSame("typed-data", `${depositPath}.action.type`, "sendAsset", action.type);
  expectSame("typed-data", `${depositPath}.eip712PrimaryType`, sendAssetPrimaryType, eip712PrimaryType);
  const members = Object.hasOwn(eip712Types, sendAssetPrimaryType) ? eip712Types[sendAssetPrimaryType] : [];
  expectMembers(`${depositPath}.eip712Types`, sendAssetMembers, members);
  const parameters = readBy(sendAssetParametersSchema, action.parameters, `${depositPath}.action.parameters`);
  return { nonce, parameters };
}

type Members = readonly { readonly name: string; readonly type: string }[];

function expectMembers(path: string, expected: Members, actual: Members | undefined): void {
  const text = (members: Members = []) => members.map(({ name, type }) => `${type} ${name}`).join(",");
  expectSame("typed-data", path, text(expected), text(actual));
}

/** Ignores letter case, which matters only in hexadecimal here. */
function expectSame(fault: WithdrawalFault, path: string, expected: unknown, actual: unknown): void {
  if (String(actual).toLowerCase() === String(expected).toLowerCase()) return;
  throw new WithdrawalInvalidError({
    actual: String(actual).slice(0, 300),
    expected: String(expected),
    fault,
    path,
  });
}

function expectInWindow(nonce: bigint, now: number | undefined): void {
  const { earliest, latest, verdict } = checkExchangeNonce({ nonce, now });
  if (verdict === "ok") return;
  throw new WithdrawalInvalidError({
    actual: nonce.toString(),
    expected: `${earliest} to ${latest}`,
    fault: `nonce-${verdict}`,
    path: `${authorizePath}.sign.value.nonce`,
  });
}

function expectAmountOf(details: unknown, sent: string, decimals: number | undefined): void {
  if (details === undefined) return;
  const { amount, currency } = readBy(detailsSchema, details, "quote.details").currencyIn;
  const units = parseExchangeAmount({ amount: sent, decimals: decimals ?? currency.decimals });
  expectSame("amount-mismatch", `${depositPath}.action.parameters.amount`, BigInt(amount), units);
}
