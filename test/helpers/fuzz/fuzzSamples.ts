import type { Hex } from "viem";
import {
  createClient,
  executeGasless,
  fastFill,
  getAppFeeBalances,
  getDepositAddress,
  reindexDepositAddress,
  submitSignature,
} from "../../../src/client/index.ts";
import { earn, startClaim } from "../appFees/claims.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { depositQuote, postAction, postMapping, signQuote as signBoth, withdrawalQuote } from "../perps.ts";
import { callsOf, gaslessBody, unfundedUser } from "../quotes/gasless.ts";
import { quoteFor, requestIdOf } from "../quotes/intents.ts";
import { signatureOf, signed, signQuote } from "../quotes/permits.ts";
import { depositAddressStage } from "../requests/depositAddressStage.ts";
import { fresh } from "../requests/failureStage.ts";
import { freshSvm, payOnSvm, sol, svmUsdc, svmUser, svmWithdrawal } from "../svm.ts";

/** A request that the emulator understands, in parts that a fuzzer changes. */
export type Sample = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** JSON; `undefined` for a request without a body. */
  readonly body: unknown;
};

/**
 * Collects requests of all payment paths, as clients send them.
 *
 * @param fixture An emulator with the perps exchange and the SVM chain.
 */
export async function collectSamples(fixture: EmulatorFixture): Promise<readonly Sample[]> {
  const { info } = fixture.emulator;
  const samples: Sample[] = [];
  const add = (method: string, target: string, body?: unknown) => {
    const { pathname: path, searchParams } = new URL(target, info.apiUrl);
    samples.push({ body, method, path, query: Object.fromEntries(searchParams) });
  };
  const client = createClient({
    apiKey: info.apiKeys[0]?.key,
    baseUrl: info.apiUrl,
    fetch: (url, init) => {
      const { body, method = "GET" } = init ?? {};
      add(method, url, typeof body === "string" ? JSON.parse(body) : undefined);
      return fetch(url, init);
    },
  });
  const recorded = { ...fixture, client };
  await callQuotes(recorded);
  await callDepositAddresses(recorded);
  await callSignatures(recorded);
  add("POST", "/perps/exchange", await callExchange(recorded));
  for (const type of ["clearinghouseState", "spotClearinghouseState", "spotMeta"]) {
    add("POST", "/perps/info", { dex: "", type, user: fixture.alpha.wallet(0).account.address });
  }
  for (const [method, params] of await svmCalls(recorded)) {
    add("POST", "/svm", { id: 1, jsonrpc: "2.0", method, params });
  }
  const apiKeyId = info.apiKeys[0]?.id;
  add("GET", `/admin/sponsors?apiKeyId=${apiKeyId}`);
  add("PUT", "/admin/sponsors", { amount: "1000000", apiKeyId });
  return samples;
}

async function callQuotes(fixture: EmulatorFixture): Promise<void> {
  const { alpha, client, emulator } = fixture;
  await emulator.control.sponsors.set({
    amount: 10n ** 15n,
    apiKeyId: emulator.info.apiKeys[0]?.id ?? "",
  });
  const dollars = { from: "USDC", to: "USDC" } as const;
  const quote = await quoteFor(fixture, { from: "ETH", to: "ETH" });
  await fastFill(client, { maxFillAmountUsd: 1_000, requestId: requestIdOf(quote) });
  await quoteFor(fixture, { ...dollars, sponsoredFeeComponents: ["execution", "swap"], subsidizeFees: true });
  await quoteFor(fixture, { ...dollars, topupGas: true, topupGasAmount: "1000000" });
  await quoteFor(fixture, { ...dollars, fixedRate: "25" });
  await quoteFor(fixture, { ...dollars, originGasOverhead: 100_000 });
  const integrator = alpha.wallet(5).account;
  await earn(fixture, integrator.address);
  await getAppFeeBalances(client, { wallet: integrator.address });
  const claim = await startClaim(fixture, integrator.address, { amount: 1_000_000n });
  const { body } = signatureOf(claim as never).post;
  const signature = await signQuote(integrator, claim as never);
  await submitSignature(client, { body, endpoint: "/execute/permits", signature });
}

async function callDepositAddresses(fixture: EmulatorFixture): Promise<void> {
  const { alpha, client } = fixture;
  const { quoteAt } = depositAddressStage(fixture);
  await quoteAt({ from: "ETH", recoveryAddress: fresh(), refundTo: fresh(), strict: true, to: "ETH" });
  const quote = await quoteAt({ from: "USDC", refundTo: fresh(), to: "USDC" });
  const address = quote.steps[0]?.depositAddress as Hex;
  await getDepositAddress(client, { address });
  await getDepositAddress(client, { requestId: requestIdOf(quote) });
  await reindexDepositAddress(client, { chainId: alpha.info.id, depositAddress: address });
}

async function callSignatures(fixture: EmulatorFixture): Promise<void> {
  const { alpha, client } = fixture;
  const quote = await quoteFor(fixture, signed("eip3009"));
  const { body, endpoint } = signatureOf(quote).post;
  await submitSignature(client, {
    body,
    endpoint,
    signature: await signQuote(alpha.wallet(0).account, quote),
  });
  for (const [index, calls] of [[], callsOf(quote)].entries()) {
    const { data, ...rest } = await gaslessBody(unfundedUser(index), alpha, calls);
    await executeGasless(client, { ...rest, data: { ...data, value: 0n } });
  }
}

/** @returns A signed action, not yet posted. */
async function callExchange(fixture: EmulatorFixture): Promise<unknown> {
  await depositQuote(fixture);
  const { authorize, deposit } = await signBoth(fixture, await withdrawalQuote(fixture));
  await postMapping(fixture, authorize);
  await postAction(fixture, deposit);
  return (await signBoth(fixture, await withdrawalQuote(fixture))).deposit;
}

async function svmCalls(fixture: EmulatorFixture): Promise<readonly (readonly [string, unknown[]])[]> {
  const user = await svmUser();
  const signature = await payOnSvm(fixture, await svmWithdrawal(fixture), user);
  const { address } = user;
  const recipient = await freshSvm();
  for (const destinationCurrency of [sol.address, svmUsdc.address]) {
    await quoteFor(fixture, {
      ...{ destinationChainId: 792703809, destinationCurrency, recipient },
      ...({ from: "USDC", to: "USDC" } as const),
    });
  }
  const wire = await fetch(`${fixture.emulator.info.apiUrl}/svm`, {
    body: JSON.stringify({ id: 1, jsonrpc: "2.0", method: "getTransaction", params: [signature] }),
    headers: { "content-type": "application/json" },
    method: "POST",
  });
  const { result } = (await wire.json()) as { result: { transaction: readonly [string] } };
  const [transaction] = result.transaction;
  return [
    ["getAccountInfo", [address, { encoding: "base64" }]],
    ["getBalance", [address]],
    ["getMultipleAccounts", [[address, recipient], { encoding: "base64" }]],
    ["getTokenAccountBalance", [address]],
    ["getTokenAccountsByOwner", [address, { mint: svmUsdc.address }, { encoding: "jsonParsed" }]],
    ["getTokenSupply", [svmUsdc.address]],
    ["getLatestBlockhash", []],
    ["getMinimumBalanceForRentExemption", [165]],
    ["getSignatureStatuses", [[signature]]],
    ["getSignaturesForAddress", [address, { limit: 3 }]],
    ["getTransaction", [signature, { encoding: "base64", maxSupportedTransactionVersion: 0 }]],
    ["requestAirdrop", [recipient, 1_000_000]],
    ["sendTransaction", [transaction, { encoding: "base64" }]],
    ["simulateTransaction", [transaction, { encoding: "base64" }]],
  ];
}
