import { expect } from "chai";
import * as entry from "../../../src/client/index.ts";
import { describeRejectedArguments } from "../../helpers/invalidArguments.ts";
import { recordV2 } from "../schema/record/support/records.ts";
import { fakeService, json } from "./support/fakeService.ts";
import { intent, orderId, requestId, signature, token, user } from "./support/samples.ts";

const mapping = {
  depositor: user,
  id: orderId,
  nonce: -1,
  signatureChainId: 1,
  wallet: user,
  walletChainId: 2,
};
const permit = { kind: "claim", requestId, signature: "0x" } as const;
const claim = { amount: 1n, chainId: 1, currency: token, minimumPayout: 1n, recipient: user, wallet: user };
const badAmount = recordV2({ appFees: [{ amount: "1e3" }] });
const badHashes = { inTxHashes: "0x01" as never, status: "refund" };

/** Calls of the client: each must fail before anything is sent. */
const unsent: readonly (readonly [
  what: string,
  parameter: string,
  act: (client: entry.Client) => unknown,
])[] = [
  ["a page of 51 requests", "limit", (c) => entry.getRequests(c, { limit: 51 })],
  ["a status that no listing has", "status", (c) => entry.getRequests(c, { status: "moon" as never })],
  ["filters with a bigint", "filters.0", (c) => entry.getRequests(c, { filters: [{ user: 1n as never }] })],
  ["a range in a group", "filters.0", (c) => entry.getRequests(c, { filters: [{ startBlock: 1 } as never] })],
  ["a permit without a signature", "signature", (c) => entry.submitPermit(c, permit)],
  ["a negative nonce", "nonce", (c) => entry.authorize(c, { ...mapping, signature } as never)],
  ["no wallet", "wallet", (c) => entry.getAppFeeBalances(c, { wallet: "" })],
  ["a wallet that is a path", "wallet", (c) => entry.getAppFeeBalances(c, { wallet: ".." })],
  ["a field that JSON cannot carry", "body.news", (c) => entry.getPrice(c, { ...intent, ...{ news: 1n } })],
  ["a negative claim", "amount", (c) => entry.claimAppFees(c, { ...claim, amount: -1n })],
  [
    "a claim without a bound",
    "minimumPayout",
    (c) => entry.claimAppFees(c, { ...claim, minimumPayout: undefined }),
  ],
  [
    "a claim for no time",
    "maximumSeconds",
    (c) => entry.claimAppFees(c, { ...claim, maximumSeconds: Number.POSITIVE_INFINITY }),
  ],
  [
    "a gasless call without data",
    "data.chainId",
    (c) => entry.executeGasless(c, { executionOptions: { subsidizeFees: true } } as never),
  ],
  [
    "a deposit address by two names",
    "address",
    (c) => entry.getDepositAddress(c, { address: user, requestId }),
  ],
  [
    "an unknown version of the status",
    "version",
    (c) => entry.getStatus(c, { requestId, version: "v9" as never }),
  ],
  ["an unknown version of the listing", "version", (c) => entry.getRequests(c, { version: "v1" as never })],
  ["a chain id that is not whole", "chainId", (c) => entry.getChainLiquidity(c, { chainId: 1.5 })],
  [
    "a transaction with a bigint",
    "tx.value",
    (c) => entry.indexSingleTransaction(c, { chainId: 1, requestId, tx: { value: 1n } }),
  ],
  ["a signal that is its controller", "signal", (c) => entry.getChains(c, { signal: {} as AbortSignal })],
  ...["", "0x01", `${requestId}00`, "../admin", requestId.slice(2)].flatMap((id): typeof unsent => [
    [`the status of "${id}"`, "requestId", (c) => entry.getStatus(c, { requestId: id })],
    [`the signature of "${id}"`, "requestId", (c) => entry.getSignature(c, { requestId: id })],
  ]),
];

describeRejectedArguments("the client", [
  ...unsent.map(
    ([what, parameter, act]) =>
      [
        what,
        parameter,
        async () => {
          const { calls, client } = fakeService([json({})]);
          const outcome = await Promise.resolve(act(client)).catch((error: unknown) => error);
          expect(calls).to.deep.equal([]);
          throw outcome;
        },
      ] as const,
  ),
  ["an amount that is a number", "amount", () => entry.amountOf({ amount: (2 ** 53) as never })],
  [
    "a record with an invalid amount",
    "record.data.appFees.0.amount",
    () => entry.migrateRequestRecord(badAmount as never),
  ],
  ["a report with one hash for a list", "update.inTxHashes", () => entry.reduceStatus(undefined, badHashes)],
]);
