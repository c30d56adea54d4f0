import { encodeFunctionData, erc20Abi, parseAbi, zeroAddress } from "viem";
import type { Played, RequestScene, ScenarioContext, Service } from "../Scenario.ts";
import { currencyOf, earlier, fund, gasMoney, send } from "../steps/chainActions.ts";
import { freshAddress, handIn, pay, quoteOf, quoteToken } from "../steps/payments.ts";

const permit2Abi = parseAbi(["function invalidateUnorderedNonces(uint256 wordPos, uint256 mask)"]);
const failure = { cause: "real", status: "failure" } as const;

/** Deposits by signature that cannot be made: nothing moves. */
export const signatureScenes = {
  GASLESS_PERMIT_BALANCE_TOO_LOW: {
    ...failure,
    play: signAndSpend,
    sentence: "The user spends a unit of the signed amount before the signature is used.",
  },
  INVALID_NONCE: {
    ...failure,
    play: signAndCancel,
    sentence: "The user cancels the signature's nonce in Permit2 before it is used.",
  },
  SIGNATURE_EXPIRED: {
    ...failure,
    play: signInTime,
    sentence: "The signature expires between its acceptance and its use.",
  },
} as const satisfies Readonly<Record<string, RequestScene>>;

async function signAndSpend(scenario: ScenarioContext): Promise<Played> {
  const { origin, user } = scenario;
  const quote = await quoteToken(scenario, "USDC", { usePermit: true });
  await fund(scenario, origin, zeroAddress, gasMoney);
  const args = [freshAddress(scenario), 1n] as const;
  const data = encodeFunctionData({ abi: erc20Abi, args, functionName: "transfer" });
  await send(scenario, origin, user, { data, to: currencyOf(origin, "USDC") });
  return handIn(scenario, quote);
}

async function signInTime(scenario: ScenarioContext): Promise<Played> {
  // The default validity of a signature is ten minutes.
  const service = scenario.serviceIn(earlier(3_600_000));
  const quote = await quoteToken(scenario, "USDC", { usePermit: true }, undefined, service);
  return handIn(scenario, quote, service);
}

async function signAndCancel(scenario: ScenarioContext): Promise<Played> {
  const { origin, user } = scenario;
  const { permit2 } = origin.contracts;
  const token = currencyOf(origin, "USDT");
  await fund(scenario, origin, zeroAddress, gasMoney);
  const data = encodeFunctionData({ abi: erc20Abi, args: [permit2, 2n ** 255n], functionName: "approve" });
  await send(scenario, origin, user, { data, to: token });
  const quote = await quoteToken(scenario, "USDT", { usePermit: true });
  const nonce = nonceOf(quote);
  const args = [nonce >> 8n, 1n << (nonce & 255n)] as const;
  await send(scenario, origin, user, {
    data: encodeFunctionData({ abi: permit2Abi, args, functionName: "invalidateUnorderedNonces" }),
    to: permit2,
  });
  return handIn(scenario, quote);
}

function nonceOf({ steps }: Awaited<ReturnType<typeof quoteToken>>): bigint {
  const step = steps.find(({ kind }) => kind === "signature");
  const data = step?.kind === "signature" ? step.items[0]?.data : undefined;
  if (data?.sign.signatureKind !== "eip712") throw new Error("a quote without typed data");
  return BigInt((data.sign.value as { nonce: string | number }).nonce);
}

/** Requests whose sponsor cannot pay. */
export const sponsorScenes = {
  SPONSOR_BALANCE_TOO_LOW: {
    cause: "real",
    play: payUnsponsored,
    sentence: "The sponsor, an API key of the scenario's own, holds nothing when the fill is signed.",
    status: "refund",
  },
} as const satisfies Readonly<Record<string, RequestScene>>;

async function payUnsponsored(scenario: ScenarioContext): Promise<Played> {
  const { apiKeyId, service } = await ownKey(scenario);
  await scenario.control.sponsors.set({ amount: 0n, apiKeyId });
  return pay(scenario, await quoteOf(scenario, { subsidizeFees: true }, service));
}

/** An API key that is revoked at the end, and the service as its integrator calls it. */
export async function ownKey({
  control,
  onEnd,
  referrer,
  service,
}: ScenarioContext): Promise<{ readonly apiKeyId: string; readonly service: Service }> {
  const { id, key } = await control.keys.create({ name: referrer });
  onEnd(() => control.keys.revoke(id));
  return {
    apiKeyId: id,
    service: (method, path, options) =>
      service(method, path, { ...options, headers: { ...options?.headers, "x-api-key": key } }),
  };
}
