import * as entry from "../../../src/client/index.ts";
import { claimSteps } from "../../helpers/appFees/claimSteps.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { recordV2, recordV3 } from "../schema/record/support/records.ts";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeNow, fakeService, json } from "./support/fakeService.ts";
import { bridgeQuote, intent, requestId, statusAnswer, token, user } from "./support/samples.ts";

type Given = Readonly<Record<string, never>>;

/** Reads one value of a generator, which may never end. */
async function firstOf(values: AsyncGenerator<unknown>): Promise<void> {
  try {
    await values.next();
  } finally {
    await values.return(undefined);
  }
}

const clientOf = (answer: object): entry.Client => fakeService([() => json(answer)]).client;
const call = { retryCount: 0, signal: new AbortController().signal, timeout: 1_000 };

/** Parameters of an endpoint, and a call of it that is answered at once. */
function given(name: string): readonly [object, (parameters: never) => Promise<unknown>] {
  const endpoint = endpointCalls.find((each) => each.name === name);
  if (endpoint === undefined) throw new Error(`no endpoint ${name}`);
  const { answer, call: act, parameters } = endpoint;
  return [{ ...parameters, ...call }, (bent: never) => act(clientOf(answer), bent)];
}

describeInvalidArguments({
  authorize: [...given("authorize")],
  checkReceiverCurrency: [
    { chain: { id: 1, solverCurrencies: [{ address: user, symbol: "ETH" }] }, currency: user },
    entry.checkReceiverCurrency,
  ],
  claimAppFees: [...given("claimAppFees")],
  verifyClaim: [
    {
      ...endpointCalls.find(({ name }) => name === "claimAppFees")?.parameters,
      ...{ allowOpaqueMessage: false, bounds: "none", now: fakeNow },
      steps: claimSteps(
        { amount: "3", chainId: 1, currency: token, recipient: user, wallet: user },
        "2",
        fakeNow,
      ),
    },
    entry.verifyClaim,
  ],
  executeGasless: [...given("executeGasless")],
  fastFill: [...given("fastFill")],
  getAppFeeBalances: [...given("getAppFeeBalances")],
  getChainLiquidity: [...given("getChainLiquidity")],
  getChains: [...given("getChains")],
  getConfig: [...given("getConfig")],
  getCurrencies: [...given("getCurrencies")],
  getDepositAddress: [...given("getDepositAddress")],
  getPrice: [...given("getPrice")],
  getQuote: [...given("getQuote")],
  getRequests: [...given("getRequests")],
  getSignature: [...given("getSignature")],
  getStatus: [...given("getStatus")],
  getSwapSources: [...given("getSwapSources")],
  getTokenPrice: [...given("getTokenPrice")],
  indexSingleTransaction: [...given("indexSingleTransaction")],
  indexTransaction: [...given("indexTransaction")],
  reindexDepositAddress: [...given("reindexDepositAddress")],
  submitPermit: [...given("submitPermit")],
  submitSignature: [...given("submitSignature")],
});

const update = { ...statusAnswer("failure"), receivedAt: 5, time: 6 };
const progress = entry.reduceStatus(undefined, { ...update, inTxHashes: ["0x01"] });
const amount = bridgeQuote().details.currencyIn;
const groups = { first: { status: "failure" }, second: { "not:originChainId": [1, 2] } };
const client = {
  apiKey: "a-key-of-a-test",
  baseUrl: "https://service.test",
  fetch: async () => json({ chains: [], news: 1 }),
  now: () => 0,
  onDeprecation: () => undefined,
  onEvent: () => undefined,
  onUnknown: () => undefined,
  random: () => 0.5,
  rateLimits: { other: { calls: 1, perMs: 1 } },
  maxResponseBytes: 100_000,
  retry: { baseDelay: 1, count: 1, maxDelay: 1 },
  sleep: async () => undefined,
  timeout: 1_000,
  validation: "warn",
};
const proxy = {
  maxBodyBytes: 10,
  maxResponseBytes: 1_000,
  prefix: "/api",
  routes: ["GET /chains"],
  timeout: 1_000,
};
const page = { requests: [recordV3()] };
const pages = { features: ["app_fees"], filters: [groups.first], limit: 5, ...call };
const watching = {
  failureGrace: 1,
  pollingInterval: 1_000,
  requestId,
  signal: call.signal,
  silence: 10,
  stream: () => undefined,
  timeout: 1_000,
};
const listener = { onDown: client.now, onLive: client.now, onUpdate: client.now, requestId };
const gone = AbortSignal.abort();
class Socket {
  onclose = null;
  onerror = null;
  onmessage = null;
  close() {}
  send() {}
}
const stream = { apiKey: "key", connectTimeout: 5, url: "wss://service.test", WebSocket: Socket };
const settling = { failureGrace: 5, now: 5, progress };
type Settling = { failureGrace: number; now: number; progress: entry.RequestProgress };

describeInvalidArguments({
  allOf: [groups, (given: Given) => entry.allOf(...Object.values(given))],
  amountOf: [{ amount }, (given: { amount: entry.Amount }) => entry.amountOf(given.amount)],
  anyOf: [groups, (given: Given) => entry.anyOf(...Object.values(given))],
  createClient: [client, (given: entry.CreateClientParameters) => entry.getChains(entry.createClient(given))],
  createKeyProxy: [
    { ...proxy, apiKey: client.apiKey, baseUrl: client.baseUrl, fetch: client.fetch },
    (given: entry.CreateKeyProxyParameters) =>
      entry.createKeyProxy(given)(new Request("http://app.test/api/chains")),
  ],
  isFinalStatus: [
    { status: "success" },
    (bent: { status: entry.RequestStatus }) => entry.isFinalStatus(bent.status),
  ],
  isRetryableErrorCode: [
    { code: "FORBIDDEN" },
    (bent: { code: string }) => entry.isRetryableErrorCode(bent.code),
  ],
  findIgnoredParameters: [{ quote: bridgeQuote(), request: intent }, entry.findIgnoredParameters],
  isSettled: [settling, ({ progress: given, ...rest }: Settling) => entry.isSettled(given, rest)],
  iterateRequestPages: [pages, (given: Given) => firstOf(entry.iterateRequestPages(clientOf(page), given))],
  iterateRequests: [pages, (given: Given) => firstOf(entry.iterateRequests(clientOf(page), given))],
  migrateRequestRecord: [recordV2(), entry.migrateRequestRecord],
  minimumAmountOf: [{ amount }, (given: { amount: entry.Amount }) => entry.minimumAmountOf(given.amount)],
  not: [{ fields: groups.first }, (bent: { fields: entry.FilterFields }) => entry.not(bent.fields)],
  reduceStatus: [
    { progress, update },
    (given: Given) => entry.reduceStatus(given.progress, given.update as never),
  ],
  trackDepositAddress: [
    { address: user, pollingInterval: 1_000, signal: call.signal, timeout: 1_000 },
    (given: entry.TrackDepositAddressParameters) => firstOf(entry.trackDepositAddress(clientOf(page), given)),
  ],
  waitForRequest: [
    { ...watching, onStatus: () => undefined, until: () => false },
    (given: entry.WaitForRequestParameters) => entry.waitForRequest(clientOf(statusAnswer("success")), given),
  ],
  watchRequest: [
    watching,
    (given: entry.WatchRequestParameters) =>
      firstOf(entry.watchRequest(clientOf(statusAnswer("success")), given)),
  ],
  websocketStream: [
    stream,
    (given: entry.WebsocketStreamParameters) =>
      entry.websocketStream(given)(clientOf({}), { ...listener, signal: gone }),
  ],
});
