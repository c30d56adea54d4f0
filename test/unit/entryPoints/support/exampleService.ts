import type { Hex } from "viem";
import { readArtifact } from "../../../../emulator/chains/setup/placeContracts.ts";
import { trustOfEmulator } from "../../../../emulator/index.ts";
import { getQuote, getSignature } from "../../../../src/client/index.ts";
import { execute } from "../../../../src/execute/index.ts";
import {
  exchangeWithdrawal,
  nonceMappingTypedData,
  signWithdrawal,
  type Withdrawal,
} from "../../../../src/perps/index.ts";
import { readWithdrawal } from "../../../../src/perps/readWithdrawal.ts";
import { markProven } from "../../../../src/perps/Withdrawal.ts";
import { normalizeOrder } from "../../../../src/records/normalizeOrder.ts";
import { recordFromResponse } from "../../../../src/records/SignatureRecord.ts";
import { earn } from "../../../helpers/appFees/claims.ts";
import { keyedClient, keyedQuote } from "../../../helpers/appFees/fastFills.ts";
import { type EmulatorFixture, startFixture } from "../../../helpers/emulatorFixture.ts";
import { exchangeUrl, withdrawalQuote } from "../../../helpers/perps.ts";
import { gaslessBody, unfundedUser } from "../../../helpers/quotes/gasless.ts";
import { quoteFor } from "../../../helpers/quotes/intents.ts";
import { signed, signedQuote, signQuote } from "../../../helpers/quotes/permits.ts";
import { addressOf, depositAddressStage } from "../../../helpers/requests/depositAddressStage.ts";
import { idOf } from "../../../helpers/requests/failureStage.ts";
import { account } from "../../perps/support/withdrawal.ts";

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

/** Starts an emulator with a filled request, and with a quote, address or signature for each endpoint that needs one. */
export async function startExampleService(): Promise<ExampleService> {
  // Examples of the older listing must run on every day.
  const fixture = await startFixture({ perps: true, requestsV2Sunset: "never" });
  const { alpha, beta, emulator } = fixture;
  const exchange = exchangeUrl(fixture);
  const paid = await payForRequest(fixture);
  const givens = await makeGivens(fixture, paid);
  const key = emulator.info.apiKeys[0]?.key ?? "";
  const moves: Move[] = [
    ...(await makeMoves(fixture)),
    [/http:\/\/127\.0\.0\.1:4000/g, emulator.info.apiUrl],
    [/http:\/\/127\.0\.0\.1:4001/g, exchange],
    [/http:\/\/127\.0\.0\.1:8545/g, alpha.info.rpcUrl],
    [/http:\/\/127\.0\.0\.1:8546/g, beta.info.rpcUrl],
    [/\bapiKey: "your-key"/g, `apiKey: "${key}"`],
    [/\b8453\b/g, String(alpha.info.id)],
    [/(destinationChainId|targetChainId): 10\b/g, `$1: ${beta.info.id}`],
    [/0x833589fcd6edb6e08f4c7c32d4f71b54bda02913/g, alpha.currency("USDC")],
    [new RegExp(exampleId, "g"), paid.requestId],
    [new RegExp(exampleHash, "g"), paid.txHash],
    // An example with a solver's signature refers to the solver of the given record.
    [/0xf70da97812cb96acdf810712aa562db8dfa3dbef/gi, emulator.info.solver, /declare const/],
  ];
  return {
    given: (code) => pickGivens(code, givens),
    hosts: {
      "https://api.hyperliquid.xyz": exchange,
      "https://api.relay.link": emulator.info.apiUrl,
      "wss://ws.relay.link": emulator.info.wsUrl,
    },
    move: (code) =>
      moves.reduce(
        (moved, [from, to, where]) => (where?.test(code) === false ? moved : moved.replace(from, to)),
        code,
      ),
    stop: fixture.stop,
  };
}

/** What an example names, what exists instead, and the examples that it is replaced in: all by default. */
type Move = readonly [from: RegExp | string, to: string, where?: RegExp];

/** Prepares the quotes, addresses and signatures of endpoints that refuse invented ones. */
async function makeMoves(fixture: EmulatorFixture): Promise<Move[]> {
  const { alpha } = fixture;
  const depositAddresses = depositAddressStage(fixture);
  const address = addressOf(await depositAddresses.quoteAt({ from: "USDC", to: "USDC" }));
  await depositAddresses.pay(address, "USDC", 50_000_000n);
  await depositAddresses.ended(address, 1);
  await earn(fixture, account.address);
  const permits: Move[] = [];
  for (const [quote, where] of [
    [await quoteFor(fixture, signed("eip3009")), /await submitSignature\(/],
    [await signedQuote(fixture), /await submitPermit\(/],
  ] as const) {
    permits.push([exampleId, idOf(quote), where]);
    permits.push([/`0x\$\{"11"\.repeat\(65\)\}`/, `"${await signQuote(account, quote)}"`, where]);
  }
  const withdrawal = await readFresh(fixture);
  const { data } = await gaslessBody(unfundedUser(1), alpha, []);
  return [
    ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", address, /[dD]epositAddress/],
    ...permits,
    [exampleId, idOf(await keyedQuote(fixture, { amount: 10n ** 16n })), /await fastFill\(/],
    [/`0x\$\{"0d"\.repeat\(32\)\}`/, `"${withdrawal.authorize.mapping.orderId}"`, /await authorize\(/],
    ["BigInt(Date.now())", `${withdrawal.authorize.mapping.nonce}n`, /await authorize\(/],
    [/data: \{ chainId: 8453, data: "0x".* \}/, `data: ${JSON.stringify(data)}`, /await executeGasless\(/],
  ];
}

/** A new withdrawal of the first user. The exchange accepts its nonce once. */
async function readFresh(fixture: EmulatorFixture): Promise<Withdrawal> {
  return markProven(
    readWithdrawal({ chainId: fixture.alpha.info.id, quote: await withdrawalQuote(fixture) }),
  );
}

/** A withdrawal's quote with what proves it. */
async function verifiable({ alpha, beta, client, emulator }: EmulatorFixture) {
  const request = exchangeWithdrawal({
    amount: 2_500_000_000n,
    destinationChainId: beta.info.id,
    destinationCurrency: beta.currency("USDC"),
    recipient: account.address,
    user: alpha.wallet(0).account.address,
  });
  const quote = await getQuote(client, request);
  return { minimumOutput: 24_000_000n, quote, request, trust: trustOfEmulator(emulator.info) };
}

/** A paid and filled request of the emulator, with its answers and events. */
async function payForRequest({ alpha, beta, emulator }: EmulatorFixture) {
  const client = keyedClient({ emulator });
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
  const trust = trustOfEmulator(emulator.info);
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
  fixture: EmulatorFixture,
  paid: Awaited<ReturnType<typeof payForRequest>>,
): Promise<Givens> {
  const { quote, request, requestId, signed, trust } = paid;
  const v2 = quote.protocol?.v2;
  const orderData = v2?.orderData;
  if (orderData === undefined || orderData === null) throw new Error("the quote has no order");
  const record = recordFromResponse({ requestData: signed.requestData, requestId: requestId as Hex });
  const mapping = {
    depositor: account.address,
    nonce: BigInt(Date.now()),
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
    "parameters: VerifyWithdrawalParameters": await verifiable(fixture),
    "parameters: SubmitExchangeActionParameters": {
      request: (await signWithdrawal({ account, withdrawal: await readFresh(fixture) })).deposit,
      url: exchangeUrl(fixture),
    },
    signed: await signWithdrawal({ account, withdrawal: await readFresh(fixture) }),
    solver: account.address,
    terms: {
      amount: 1n,
      currency: account.address,
      destinationChain: "beta",
      latestDeadline: 2n ** 32n,
      minimumAmount: 1n,
      originChain: "alpha",
      outputCurrency: "any",
      recipient: account.address,
      refundTo: account.address,
      solver: account.address,
    },
    trust,
    withdrawal: await readFresh(fixture),
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
