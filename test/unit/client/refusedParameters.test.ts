import { expect } from "chai";
import {
  authorize,
  type Client,
  claimAppFees,
  executeGasless,
  getAppFeeBalances,
  getChainLiquidity,
  getCurrencies,
  getDepositAddress,
  getPrice,
  getRequests,
  getSignature,
  getStatus,
  indexTransaction,
  submitPermit,
} from "../../../src/client/index.ts";
import { type FakeService, fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent, orderId, requestId, signature, token, user } from "./support/samples.ts";

const mapping = {
  depositor: user,
  id: orderId,
  nonce: 5,
  signatureChainId: 1,
  wallet: user,
  walletChainId: 1337,
} as const;
describe("parameters of an endpoint", () => {
  const refused: [string, (client: Client) => Promise<unknown>, string][] = [
    ["a page of 51 requests", (client) => getRequests(client, { limit: 51 }), "limit"],
    ["a status that no listing has", (client) => getRequests(client, { status: "moon" as never }), "status"],
    [
      "a filter of a range in a group",
      (client) => getRequests(client, { filters: [{ startBlock: 1 } as never] }),
      "filters.0",
    ],
    [
      "a permit of an unknown api",
      (client) => submitPermit(client, { api: "x" as never, kind: "claim", requestId, signature }),
      "api",
    ],
    [
      "a permit without a signature",
      (client) => submitPermit(client, { kind: "claim", requestId, signature: "0x" }),
      "signature",
    ],
    ["a negative nonce", (client) => authorize(client, { ...mapping, nonce: -1, signature }), "nonce"],
    ["no wallet", (client) => getAppFeeBalances(client, { wallet: "" }), "wallet"],
    ["a wallet that is a path", (client) => getAppFeeBalances(client, { wallet: ".." }), "wallet"],
    [
      "a field that JSON cannot carry",
      (client) => getPrice(client, { ...intent, ...{ brandNew: 1n } }),
      "body.brandNew",
    ],
    [
      "a claim of less than nothing",
      (client) =>
        claimAppFees(client, { amount: -1n, chainId: 1, currency: token, recipient: user, wallet: user }),
      "amount",
    ],
    [
      "a gasless call without data",
      (client) => executeGasless(client, { executionOptions: { subsidizeFees: true } } as never),
      "data.chainId",
    ],
    [
      "a deposit address by two names",
      (client) => getDepositAddress(client, { address: user, requestId }),
      "address",
    ],
    [
      "a version of the status that does not exist",
      (client) => getStatus(client, { requestId, version: "v9" as never }),
      "version",
    ],
    [
      "a version of the record that does not exist",
      (client) => getSignature(client, { requestId, version: "toString" as never }),
      "version",
    ],
    [
      "a version of the currencies that does not exist",
      (client) => getCurrencies(client, { version: "v3" as never }),
      "version",
    ],
    ["a chain id that is not whole", (client) => getChainLiquidity(client, { chainId: 1.5 }), "chainId"],
    [
      "a transaction without a hash",
      (client) => indexTransaction(client, { chainId: 1, txHash: "" }),
      "txHash",
    ],
  ];
  for (const [what, call, parameter] of refused) {
    it(`refuses ${what} before anything is sent`, async () => {
      const { calls, client }: FakeService = fakeService([json({})]);
      expect(await rejectionOf(call(client))).to.include({ code: "INVALID_PARAMETER", parameter });
      expect(calls).to.deep.equal([]);
    });
  }
});
