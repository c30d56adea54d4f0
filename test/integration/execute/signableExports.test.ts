import { expect } from "chai";
import { createWalletClient, http, type LocalAccount } from "viem";
import { toAccount } from "viem/accounts";
import { trustOfEmulator } from "../../../emulator/index.ts";
import { readEntryPoints } from "../../../scripts/checks/entryPoints.ts";
import {
  authorize,
  type Client,
  claimAppFees,
  createClient,
  getQuote,
  type Quote,
  type Step,
  submitPermit,
  submitSignature,
  verifyClaim,
} from "../../../src/client/index.ts";
import { execute, verifyQuote } from "../../../src/execute/index.ts";
import { nonceMappingBody, signWithdrawal, verifyWithdrawal } from "../../../src/perps/index.ts";
import { proveQuote } from "../../../src/prove/index.ts";
import { claimSteps } from "../../helpers/appFees/claimSteps.ts";
import { earn } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { put } from "../../helpers/put.ts";
import { attacker, paymentOf, requestOf } from "../../helpers/quotes/quoteChanges.ts";
import { depositData, provable } from "../../helpers/withdrawalProof.ts";

/** Functions that return numbers, statuses, records, errors or differences, but nothing to sign. */
const returnNothingToSign: Readonly<Record<string, readonly string[]>> = {
  waybill: [
    ...["checkCalls", "decodeOrderCall", "decodeOrderExtraData", "decodeRevert", "encodeOrderAddress"],
    ...["encodeOrderCall", "encodeOrderExtraData", "encodeRecord", "explainFailure", "explainTerms"],
    ...["formatOrder", "hashDepositWitness", "hashOrder", "hashOrderDepositWitness", "hashRecord"],
    ...["normalizeOrder", "orderTerms", "quoteSimulator", "recordFromResponse", "recordWord"],
    ...["recoverOrderSigner", "recoverSigner", "simulateCalls", "verifyOrder", "verifyRecord"],
  ],
  "waybill/abi": ["receiverAddress"],
  "waybill/client": [
    ...["allOf", "amountOf", "anyOf", "checkReceiverCurrency", "executeGasless", "fastFill"],
    ...["findIgnoredParameters", "getAppFeeBalances", "getChainLiquidity", "getChains", "getConfig"],
    ...["getCurrencies", "getDepositAddress", "getPrice", "getRequests", "getSignature", "getStatus"],
    ...["getSwapSources", "getTokenPrice", "indexSingleTransaction", "indexTransaction", "isFinalStatus"],
    ...[
      "isRetryableErrorCode",
      "isSettled",
      "iterateRequestPages",
      "iterateRequests",
      "migrateRequestRecord",
    ],
    ...["minimumAmountOf", "not", "reduceStatus", "reindexDepositAddress", "trackDepositAddress"],
    ...["waitForRequest", "watchRequest", "websocketStream"],
  ],
  "waybill/execute": ["findQuoteMismatches", "forgetPayments"],
  // Their watchers and providers ask the app's wallet only for proven items; the tests of the guard stage that.
  "waybill/guard": ["createQuoteGuard", "guardAnnouncements", "guardProvider", "watchAxios", "watchRequests"],
  "waybill/perps": [
    ...["checkExchangeNonce", "decodeExchangeCurrency", "encodeExchangeCurrency", "exchangeDeposit"],
    ...["exchangeWithdrawal", "formatExchangeAmount", "getExchangeBalance", "parseExchangeAmount"],
    ...["recoverNonceMappingSigner", "splitExchangeSignature", "submitExchangeAction"],
  ],
  "waybill/svm": ["decodeSvmAddress", "encodeSvmAddress", "isSvmAddress", "measureSvmTransaction"],
  "waybill/webhooks": [
    ...["createMemorySeenStore", "dedupeKey", "expressWebhook", "fastifyWebhook", "fetchWebhook"],
    ...["honoWebhook", "nodeWebhook", "receiveWebhook", "signWebhook", "verifyWebhook"],
  ],
};

/** Functions that build calls and typed data from the caller's arguments, without a client or an answer. */
const buildFromArguments: Readonly<Record<string, readonly string[]>> = {
  waybill: [
    ...[
      "approve",
      "balanceOf",
      "calls",
      "contractCall",
      "depositToVault",
      "encodeWithLiveBalances",
      "mintNft",
    ],
    ...["nativeBalance", "orderPermit2TypedData", "permit2TypedData", "proxyStep", "signOrder", "signRecord"],
    ...["supplyToPool", "swapFromNativeOnUniswapV2", "swapOnUniswapV2", "swapToNativeOnUniswapV2"],
    ...["sweepErc20s", "sweepNative", "toCall", "unwrapNative", "wrapNative"],
  ],
  "waybill/perps": ["nonceMappingBody", "nonceMappingTypedData", "sendAssetTypedData"],
};

/** Functions whose result hands on answers as they are. */
const handOn: Readonly<Record<string, readonly string[]>> = {
  "waybill/client": ["createClient", "createKeyProxy"],
};

type Run = () => Promise<unknown>;

describe("functions that return something to sign", () => {
  const fixture = useEmulator({ perps: true });
  const trust = () => trustOfEmulator(fixture.emulator.info);
  const owner = () => fixture.alpha.wallet(5).account.address;
  let request: ReturnType<typeof requestOf>;
  let honest: Quote;
  let stray: Step;
  /** What the first user's key signed. */
  const signed: string[] = [];
  /** The first user, whose signatures are noted. */
  function watched(): LocalAccount {
    const local = fixture.alpha.wallet(0).account as LocalAccount;
    const note =
      <Given, Signature>(name: string, sign: (given: Given) => Signature) =>
      (given: Given) => {
        signed.push(name);
        return sign(given);
      };
    return toAccount({
      address: local.address,
      signMessage: note("signMessage", local.signMessage),
      signTransaction: note("signTransaction", local.signTransaction) as typeof local.signTransaction,
      signTypedData: note("signTypedData", local.signTypedData as never) as typeof local.signTypedData,
    });
  }
  const watchedWallet = () =>
    createWalletClient({ account: watched(), transport: http(fixture.alpha.info.rpcUrl) });
  before(async () => {
    request = requestOf(fixture, "USDC", "USDC");
    honest = await getQuote(fixture.client, request);
    const approval = structuredClone(honest.steps[0]) as Step;
    if (approval.kind !== "transaction") throw new Error("the first step is no approval");
    const data = approval.items[0]?.data as { data: string };
    // An approval of everything for the attacker, in place of the depository's.
    data.data = `0x095ea7b3${attacker.slice(2).padStart(64, "0")}${"f".repeat(64)}`;
    stray = approval;
  });

  const hostileQuote = (): Quote => {
    const quote = structuredClone(honest);
    Object.assign(paymentOf(quote), { to: attacker });
    return quote;
  };
  const policy = () => ({ minimumOutput: 48_000_000n, trust: trust() });
  /** A client whose service gives one answer to everything. */
  const answering = (answer: unknown): Client =>
    createClient({
      baseUrl: fixture.emulator.info.apiUrl,
      fetch: async () =>
        new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } }),
    });
  const terms = () => ({
    ...{ amount: "5000000", chainId: fixture.alpha.info.id, currency: fixture.alpha.currency("USDC") },
    ...{ recipient: owner(), wallet: owner() },
  });
  const hostileClaim = () => claimSteps({ ...terms(), recipient: attacker }, "4900000");
  const hostileWithdrawal = async () => {
    const parameters = await provable(fixture);
    put(parameters.quote, `${depositData}.action.parameters.destination`, attacker);
    return parameters;
  };

  /** Each function that returns or sends something to sign: an honest call, and one with a hostile answer. */
  const proven: Readonly<
    Record<string, Readonly<Record<string, { readonly honest: Run; readonly hostile: Run }>>>
  > = {
    "waybill/client": {
      claimAppFees: {
        honest: async () => {
          await earn(fixture, owner());
          return claimAppFees(fixture.client, { ...terms(), minimumPayout: 4_000_000n });
        },
        hostile: () =>
          claimAppFees(answering({ steps: hostileClaim() }), { ...terms(), minimumPayout: 4_000_000n }),
      },
      verifyClaim: {
        honest: async () =>
          verifyClaim({ ...terms(), bounds: "none", steps: claimSteps(terms(), "4900000") }),
        hostile: async () => verifyClaim({ ...terms(), bounds: "none", steps: hostileClaim() }),
      },
    },
    "waybill/execute": {
      execute: {
        honest: () =>
          execute(fixture.client, {
            ...{ publicClient: fixture.alpha.reader, quote: honest, request, verify: policy() },
            wallet: watchedWallet(),
          }),
        hostile: () =>
          execute(fixture.client, {
            ...{ publicClient: fixture.alpha.reader, quote: hostileQuote(), request, verify: policy() },
            wallet: watchedWallet(),
          }),
      },
      verifyQuote: {
        honest: () => verifyQuote({ ...policy(), quote: honest, request }),
        hostile: () => verifyQuote({ ...policy(), quote: hostileQuote(), request }),
      },
    },
    "waybill/prove": {
      proveQuote: {
        honest: async () => expectProven(await proveQuote({ policy: policy(), quote: honest, request })),
        hostile: async () =>
          expectProven(await proveQuote({ policy: policy(), quote: hostileQuote(), request })),
      },
    },
    "waybill/perps": {
      signWithdrawal: {
        honest: async () => {
          const withdrawal = await verifyWithdrawal(await provable(fixture));
          return signWithdrawal({ account: watched() as never, withdrawal });
        },
        hostile: async () => {
          const withdrawal = await verifyWithdrawal(await provable(fixture));
          const { parameters } = withdrawal.deposit;
          const copy = { ...withdrawal, deposit: { parameters: { ...parameters, destination: attacker } } };
          return signWithdrawal({ account: watched() as never, withdrawal: copy as typeof withdrawal });
        },
      },
      verifyWithdrawal: {
        honest: async () => verifyWithdrawal(await provable(fixture)),
        hostile: async () => verifyWithdrawal(await hostileWithdrawal()),
      },
    },
  };

  /** Functions whose answer is data, and may contain steps: the steps of a hostile answer. */
  const data: Readonly<Record<string, Readonly<Record<string, () => Promise<readonly Step[] | undefined>>>>> =
    {
      "waybill/client": {
        authorize: async () => {
          const mapping = {
            depositor: owner(),
            nonce: 1n,
            orderId: `0x${"0d".repeat(32)}`,
            wallet: owner(),
          } as const;
          const { steps } = await authorize(answering({ steps: [stray] }), {
            ...nonceMappingBody(mapping),
            signature,
          });
          return [...honest.steps, ...(steps ?? [])];
        },
        getQuote: async () => (await getQuote(answering(hostileQuote()), request)).steps,
        submitPermit: async () => {
          const permit = { kind: "permit2", requestId: `0x${"a8".repeat(32)}` } as const;
          const { steps } = await submitPermit(answering({ steps: [stray] }), { ...permit, signature });
          return [...honest.steps, ...(steps ?? [])];
        },
        submitSignature: async () => {
          const submission = { body: {}, endpoint: "/execute/permits", signature } as const;
          const { steps } = await submitSignature(answering({ steps: [stray] }), submission);
          return [...honest.steps, ...(steps ?? [])];
        },
      },
    };
  const signature = `0x${"11".repeat(65)}` as const;

  it("are known: every exported function of every entry point has a class, and one alone", () => {
    const classes = [returnNothingToSign, buildFromArguments, handOn, namesOf(proven), namesOf(data)];
    for (const { exports, specifier } of readEntryPoints()) {
      if (!/^waybill(?:\/|$)/.test(specifier)) continue;
      const functions = exports.flatMap(({ kind, name }) => (kind === "function" ? [name] : []));
      const classified = classes.flatMap((each) => each[specifier] ?? []);
      expect(classified.toSorted(), specifier).to.deep.equal(functions.toSorted());
    }
  });

  for (const [specifier, functions] of Object.entries(proven)) {
    for (const [name, { honest: run, hostile }] of Object.entries(functions)) {
      it(`${name} of ${specifier}, given a hostile answer: throws, and the key signs nothing`, async () => {
        signed.length = 0;
        const error = await failureOf(hostile());
        expect(error)
          .to.have.property("code")
          .that.matches(/^(?:CLAIM|QUOTE|WITHDRAWAL)_|^INVALID_PARAMETER$/);
        expect(signed).to.deep.equal([]);
      });

      it(`${name} of ${specifier}, given an honest answer: returns`, async () => {
        signed.length = 0;
        expect(await run()).to.be.an("object");
        expect(signed.length > 0).to.equal(["execute", "signWithdrawal"].includes(name));
      });
    }
  }

  for (const [specifier, functions] of Object.entries(data)) {
    for (const [name, stepsOf] of Object.entries(functions)) {
      it(`${name} of ${specifier}, given a hostile answer: its steps are data, which verifyQuote refuses`, async () => {
        const steps = await stepsOf();
        const quote = { ...honest, steps: [...(steps ?? [])] };
        const error = await failureOf(verifyQuote({ ...policy(), quote, request }));
        expect(error).to.have.property("name", "QuoteMismatchError");
      });
    }
  }
});

/** Turns a refusal into an error, as the other functions have it. */
function expectProven(result: Awaited<ReturnType<typeof proveQuote>>): object {
  if (result.proven) return result.quote;
  throw Object.assign(new Error("refused"), { code: result.differences[0]?.code });
}

function namesOf(table: Readonly<Record<string, object>>): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    Object.entries(table).map(([specifier, rows]) => [specifier, Object.keys(rows)] as const),
  );
}
