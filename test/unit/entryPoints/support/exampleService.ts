import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Hex } from "viem";
import { readArtifact } from "../../../../emulator/chains/setup/artifacts.ts";
import { type Emulator, startEmulator, trustOfEmulator } from "../../../../emulator/index.ts";
import { createClient, getQuote, getSignature } from "../../../../src/client/index.ts";
import { execute } from "../../../../src/execute/index.ts";
import {
  exchangeWithdrawal,
  nonceMappingTypedData,
  readWithdrawal,
  signWithdrawal,
  type Withdrawal,
} from "../../../../src/perps/index.ts";
import { normalizeOrder } from "../../../../src/records/normalizeOrder.ts";
import { recordFromResponse } from "../../../../src/records/recordFromResponse.ts";
import { type TestChain, testChain } from "../../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../../helpers/quickSleep.ts";
import { endpointCalls } from "../../client/support/endpointCalls.ts";
import { bridgeQuote } from "../../client/support/samples.ts";
import { fakeExchange } from "../../perps/support/exchange.ts";
import { account, nonce, withdrawalQuote } from "../../perps/support/withdrawal.ts";
import { recordV3 } from "../../schema/record/support/records.ts";

/** Services behind the examples. */
export type ExampleService = {
  /** Local targets of public URLs, by prefix. */
  readonly hosts: Readonly<Record<string, string>>;
  /** Values for examples with `declare const name: Type;`. */
  given(code: string): Readonly<Record<string, unknown>>;
  /** Makes an example's chains, currencies, keys and requests those that there are. */
  move(code: string): string;
  stop(): Promise<void>;
};

/** The id that examples about a request name. */
const exampleId = "0x910113af21b5771f35712ab2680b578e5551a2e358916d9c540aa4f613418e2a";
/** The hash that examples about a deposit name. */
const exampleHash = "0x3f1c9ab56e1bb0d2a7c84f0e5d6b29a18c7e4f3021d5b6c9e8a7f60514233241";

/** Starts an emulator with a filled request, the perps exchange, and a proxy for endpoints that the emulator lacks. */
export async function startExampleService(): Promise<ExampleService> {
  // Examples of the older listing must run on every day.
  const emulator = await startEmulator({ chainPorts: [0, 0], port: 0, requestsV2Sunset: "never" });
  const [alpha, beta] = emulator.info.chains.map(testChain) as [TestChain, TestChain];
  const exchange = await startExchange();
  const front = await startFront(emulator.info.apiUrl);
  const paid = await payForRequest(emulator, alpha, beta);
  const givens = await makeGivens(paid, exchange.url);
  const key = emulator.info.apiKeys[0]?.key ?? "";
  const moves: [from: RegExp, to: string][] = [
    [/http:\/\/127\.0\.0\.1:4000/g, front.url],
    [/http:\/\/127\.0\.0\.1:4001/g, exchange.url],
    [/http:\/\/127\.0\.0\.1:8545/g, alpha.info.rpcUrl],
    [/http:\/\/127\.0\.0\.1:8546/g, beta.info.rpcUrl],
    [/\bapiKey: "your-key"/g, `apiKey: "${key}"`],
    [/\b8453\b/g, String(alpha.info.id)],
    [/(destinationChainId|targetChainId): 10\b/g, `$1: ${beta.info.id}`],
    [/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913/g, alpha.currency("USDC")],
    [new RegExp(exampleId, "g"), paid.requestId],
    [new RegExp(exampleHash, "g"), paid.txHash],
  ];
  // An example with a solver's signature refers to the solver of the given record.
  const solver: [from: RegExp, to: string] = [
    /0xf70da97812cb96acdf810712aa562db8dfa3dbef/gi,
    emulator.info.solver,
  ];
  return {
    given: (code) => pickGivens(code, givens),
    hosts: {
      "https://api.hyperliquid.xyz": exchange.url,
      "https://api.relay.link": front.url,
      "wss://ws.relay.link": emulator.info.wsUrl,
    },
    move: (code) =>
      [...moves, ...(code.includes("declare const") ? [solver] : [])].reduce(
        (moved, [from, to]) => moved.replace(from, to),
        code,
      ),
    stop: async () => {
      front.stop();
      exchange.stop();
      await emulator.stop();
    },
  };
}

/** A paid and filled request of the emulator, with its answers and events. */
async function payForRequest({ info }: Emulator, alpha: TestChain, beta: TestChain) {
  const client = createClient({ apiKey: info.apiKeys[0]?.key, baseUrl: info.apiUrl, sleep: quickSleep });
  const request = {
    amount: 10_000_000n,
    destinationChainId: beta.info.id,
    destinationCurrency: beta.currency("USDC"),
    includeProtocolData: true,
    originChainId: alpha.info.id,
    originCurrency: alpha.currency("USDC"),
    tradeType: "EXACT_INPUT",
    user: alpha.wallet(0).account.address,
  } as const;
  const quote = await getQuote(client, request);
  const wallet = alpha.wallet(0);
  const trust = trustOfEmulator(info);
  const verify = { minimumOutput: 9_000_000n, trust };
  const { inTxHashes, requestId } = await execute(client, {
    publicClient: alpha.reader,
    quote,
    request,
    verify,
    wallet,
  });
  const [txHash] = inTxHashes;
  if (txHash === undefined) throw new Error("The paid request names no deposit.");
  const signed = await getSignature(client, { requestId });
  return { quote, request, requestId, signed, trust, txHash };
}

type Givens = Readonly<Record<string, unknown>>;

async function makeGivens(
  paid: Awaited<ReturnType<typeof payForRequest>>,
  exchangeUrl: string,
): Promise<Givens> {
  const { quote, request, requestId, signed, trust } = paid;
  const v2 = quote.protocol?.v2;
  const orderData = v2?.orderData;
  if (orderData === undefined || orderData === null) throw new Error("the quote has no order");
  const record = recordFromResponse({ requestData: signed.requestData, requestId: requestId as Hex });
  // Each with a nonce of its own: the exchange takes one once.
  const [withdrawal, other, third] = [1, 2, 3].map(() =>
    readWithdrawal({ chainId: 8453, quote: freshWithdrawal() }),
  ) as [Withdrawal, Withdrawal, Withdrawal];
  const mapping = {
    depositor: account.address,
    nonce: BigInt(nonce),
    orderId: v2?.orderId as Hex,
    wallet: account.address,
  };
  return {
    bytecode: readArtifact("receiver/PinnedReceiver").bytecode,
    data: svmData,
    mapping,
    order: normalizeOrder({ orderData }),
    orderData,
    orderId: v2?.orderId,
    quote,
    receiver: account.address,
    record,
    request,
    requestId,
    "parameters: GetQuoteParameters": exchangeWithdrawal({
      amount: 25_500_000n,
      destinationChainId: request.destinationChainId,
      destinationCurrency: request.destinationCurrency,
      recipient: account.address,
      user: account.address,
    }),
    "parameters: SubmitExchangeActionParameters": {
      request: (await signWithdrawal({ account, withdrawal: third })).deposit,
      url: exchangeUrl,
    },
    signed: await signWithdrawal({ account, withdrawal: other }),
    solver: account.address,
    trust,
    withdrawal,
    "signature of mapping": await account.signTypedData(nonceMappingTypedData(mapping)),
    "signature of order": v2?.orderSignature,
    "signature of record": signed.signature,
  };
}

/** Values of an example's declarations; a signature is over the other declared value. */
function pickGivens(code: string, givens: Givens): Givens {
  const declared = [...code.matchAll(/^declare const (\w+): (.+);$/gm)];
  const signed = ["mapping", "order", "record"].find((each) => declared.some(([, name]) => name === each));
  return Object.fromEntries(
    declared.map(([, name = "", type]) => {
      const value =
        givens[name === "signature" ? `signature of ${signed}` : name] ?? givens[`${name}: ${type}`];
      if (value === undefined) throw new Error(`Examples are given no ${name}.`);
      return [name, value];
    }),
  );
}

/** A step of an SVM chain with one instruction. */
const svmData = {
  addressLookupTableAddresses: [],
  instructions: [
    {
      data: "02000000e803000000000000",
      keys: [
        { isSigner: true, isWritable: true, pubkey: "GTtzwxqy67xx9DVESJjx28TgXqpc8xTqtiytgNMaQBTE" },
        { isSigner: false, isWritable: true, pubkey: "SysvarRent111111111111111111111111111111111" },
      ],
      programId: "11111111111111111111111111111111",
    },
  ],
};

/** The exchange takes each nonce once, and none that is far from the present. */
let lastNonce = Date.now() - 60_000;

/** The published withdrawal with the present time, in a full quote. */
function freshWithdrawal() {
  const [{ details, ...quote }, withdrawal] = [bridgeQuote(), withdrawalQuote()];
  const { currencyIn } = withdrawal.details as { currencyIn: { amount: string; currency: object } };
  const currency = { ...details.currencyIn.currency, ...currencyIn.currency };
  const paid = { ...details.currencyIn, ...currencyIn, currency };
  const text = JSON.stringify({ ...quote, ...withdrawal, details: { ...details, currencyIn: paid } });
  lastNonce += 1;
  return JSON.parse(text.replaceAll(String(nonce), String(lastNonce)));
}

function documented(name: string): unknown {
  return endpointCalls.find((call) => call.name === name)?.answer;
}

/**
 * Endpoints that the emulator lacks, answered in the documented shape: method and path, and what is in the query or
 * body.
 */
const beside: [endpoint: RegExp, holds: RegExp, answer: () => unknown][] = [
  [/^POST \/app-fees\/\w+\/claim$/, /./, () => ({ steps: freshWithdrawal().steps.slice(0, 1) })],
  // No chain of the emulator is the exchange, so it has no withdrawal that a nonce could belong to.
  [/^POST \/authorize$/, /./, () => documented("authorize")],
  [/^POST \/execute$/, /./, () => documented("executeGasless")],
  // The request that was submitted; the service does not have it.
  [/^GET \/intents\/status\/v3$/, /a8a8a8a8/, () => documented("getStatus")],
  [/^POST \/execute\/permits$/, /0x111111/, () => documented("submitSignature")],
  [/^POST \/fast-fill$/, /./, () => documented("fastFill")],
  [/^GET \/deposit-addresses\/v1$/, /./, () => documented("getDepositAddress")],
  [/^POST \/transactions\/deposit-address\/reindex$/, /./, () => documented("reindexDepositAddress")],
  [/^GET \/requests\/v3$/, /\bdepositAddress=/, () => ({ requests: [recordV3({ status: "success" })] })],
  [/^POST \/quote\/v2$/, /ChainId":1337\b/, freshWithdrawal],
];

type Server = { stop: () => void; url: string };

/** Starts a server that answers endpoints that the emulator lacks, and forwards all others to it. */
function startFront(apiUrl: string): Promise<Server> {
  return serve(async ({ headers, method = "GET", url = "/" }, body) => {
    const key = headers["x-api-key"];
    const [path = ""] = url.split("?");
    const own = beside.find(
      ([endpoint, holds]) => endpoint.test(`${method} ${path}`) && holds.test(url + body),
    );
    if (own !== undefined) return Response.json(own[2]());
    return fetch(`${apiUrl}${url}`, {
      headers: {
        "content-type": "application/json",
        ...(typeof key === "string" && { "x-api-key": key }),
      },
      method,
      ...(method === "GET" ? {} : { body }),
    });
  });
}

function startExchange(): Promise<Server> {
  const { options } = fakeExchange();
  return serve(({ url = "/" }, body) => options.fetch(`${options.url}${url}`, { body }));
}

/** Serves JSON on loopback. */
async function serve(answer: (request: IncomingMessage, body: string) => Promise<Response>): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    const answered = await answer(request, body);
    response.writeHead(answered.status, { "content-type": "application/json" });
    response.end(await answered.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  return { stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
