import { InvalidParameterError } from "../../errors/InvalidParameterError.ts";
import { readObject } from "../../internal/readParts.ts";
import { show } from "../../internal/show.ts";
import { toJson } from "./parameters.ts";

/**
 * How a key proxy treats a parameter beyond those that are always forwarded.
 *
 * - `true`: callers choose its value.
 * - a function: whether it forwards a caller's value. Any result but `true` refuses the call.
 * - `{ fixed }`: the proxy writes this value over the caller's, and into every quote and price.
 */
export type KeyProxyRule = true | { readonly fixed: unknown } | ((value: unknown) => boolean);

/** A rule of an app, ready to apply. */
type Rule = { readonly accepts: (value: unknown) => boolean; readonly fixedJson?: string };

/** Rules by name of a parameter. */
export type KeyProxyRules = ReadonlyMap<string, Rule>;

/**
 * Parameters without effect on the money of the key's owner: of quotes, then of the other default routes. Left out, as
 * all that are not documented, are those that spend the owner's balance, or name who is paid or who pays: `appFees`,
 * `depositFeePayer`, `fixedRate`, `maxSubsidizationAmount`, `originGasOverhead`, `referrerAddress`,
 * `sponsoredFeeComponents`, `subsidizeFees`, `subsidizeRent`.
 */
const forwarded: ReadonlySet<string> = new Set(
  `
  user recipient originChainId destinationChainId originCurrency destinationCurrency amount tradeType
  txs txs.to txs.value txs.data txsGasLimit
  authorizationList authorizationList.chainId authorizationList.address authorizationList.nonce
  authorizationList.yParity authorizationList.r authorizationList.s
  refundTo protocolVersion referrer additionalData additionalData.userPublicKey recoveryAddress refundOnOrigin
  topupGas topupGasAmount enableTrueExactOutput explicitDeposit useExternalLiquidity useFallbacks usePermit permitExpiry
  includeProtocolData useDepositAddress strict slippageTolerance latePaymentSlippageTolerance
  gasLimitForDepositSpecifiedTxs forceSolverExecution includedSwapSources excludedSwapSources
  includedOriginSwapSources includedDestinationSwapSources maxRouteLength useSharedAccounts includeComputeUnitLimit
  overridePriceImpact disableSwapProviderPreference disableOriginSwaps ttl

  address api chainId chainIds currency currencyId defaultList depositAddressOnly depositor id includeAllChains
  includeChains limit nonce requestId signature signatureChainId term tokens tx txHash type useExternalSearch verified
  wallet walletChainId`
    .trim()
    .split(/\s+/),
);

/** Users pay with permits. The kind `claim` pays app fees out. */
const permitKinds: readonly unknown[] = ["eip3009", "permit", "permit2"];

const quotePaths: readonly string[] = ["/price", "/quote", "/quote/v2"];

/**
 * Reads the rules of an app.
 *
 * @throws InvalidParameterError for a rule of another form, by name.
 */
export function readRules(given: unknown): KeyProxyRules {
  const rules = new Map<string, Rule>([["kind", { accepts: (kind) => permitKinds.includes(kind) }]]);
  for (const [name, rule] of Object.entries(readObject(given, "parameters"))) {
    const parameter = `parameters.${name}`;
    if (rule === true) rules.set(name, { accepts: () => true });
    else if (typeof rule === "function") rules.set(name, { accepts: (value) => rule(value) === true });
    else if (typeof rule === "object" && rule !== null && Object.hasOwn(rule, "fixed")) {
      const fixedJson = toJson((rule as { fixed: unknown }).fixed, parameter);
      rules.set(name, { accepts: () => true, fixedJson });
    } else throw new InvalidParameterError({ parameter, reason: "not true, a function or { fixed }" });
  }
  return rules;
}

/** A call whose parameters are checked. Fixed values are written into it. */
export type ProxiedParameters = {
  readonly body: object | undefined;
  readonly path: string;
  readonly query: URLSearchParams;
};

/**
 * Checks each parameter of a call by its exact name, at any depth of objects and lists, and writes fixed values.
 *
 * @returns The first parameter that is refused; `undefined` for none.
 * @throws The errors of the app's functions.
 */
export function applyRules(
  rules: KeyProxyRules,
  { body, path, query }: ProxiedParameters,
): string | undefined {
  for (const [name, value] of [...query]) {
    const rule = rules.get(name);
    if (rule === undefined ? !forwarded.has(name) : !rule.accepts(value)) return show(name);
    if (rule?.fixedJson !== undefined) query.set(name, String(JSON.parse(rule.fixedJson)));
  }
  if (body === undefined) return undefined;
  const refused = applyTo(body, rules, "", false);
  if (refused !== undefined || !quotePaths.includes(path)) return refused;
  for (const [name, { fixedJson }] of rules) {
    if (fixedJson !== undefined && !name.includes(".")) write(body, name, fixedJson);
  }
  return undefined;
}

/** @param isCovered Whether a rule accepted what is around the value. */
function applyTo(
  value: unknown,
  rules: KeyProxyRules,
  prefix: string,
  isCovered: boolean,
): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const isList = Array.isArray(value);
  for (const [key, inner] of Object.entries(value)) {
    // A dot in a key would imitate a nested name.
    const name = isList ? prefix : `${prefix}${prefix && "."}${key.includes(".") ? `"${key}"` : key}`;
    const rule = isList ? undefined : rules.get(name);
    const isListed = rule === undefined ? isList || isCovered || forwarded.has(name) : rule.accepts(inner);
    if (!isListed) return show(name);
    if (rule?.fixedJson !== undefined) write(value, key, rule.fixedJson);
    else {
      const refused = applyTo(inner, rules, name, isCovered || rule !== undefined);
      if (refused !== undefined) return refused;
    }
  }
  return undefined;
}

/** Writes a copy: the app's check may change the body. */
function write(target: object, name: string, json: string): void {
  Object.assign(target, { [name]: JSON.parse(json) as unknown });
}
