import { expect } from "chai";
import {
  allOf,
  amountOf,
  anyOf,
  type Client,
  checkReceiverCurrency,
  getAppFeeBalances,
  getPrice,
  getQuote,
  getSignature,
  getStatus,
  iterateRequests,
  not,
  ReceiverCurrencyError,
} from "../../../src/client/index.ts";
import { recordV3 } from "../schema/record/support/records.ts";
import { endpointCalls } from "./support/endpointCalls.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent as anIntent, bridgeQuote, native, requestId, token, user } from "./support/samples.ts";

const intent = { ...anIntent, amount: 10n ** 16n };

const call = { data: "0x12", to: token };

const { details } = bridgeQuote();

const quoteWith = (amount: unknown) => {
  const currencyIn = { ...details.currencyIn, amount };
  return { ...bridgeQuote(), brandNew: 1, details: { ...details, currencyIn } };
};

describe("getQuote", () => {
  for (const [parameter, fields] of [
    ["amount", { amount: 1 }],
    ["amount", { amount: undefined }],
    ["txs.0.value", { txs: [{ ...call, value: 1 }] }],
  ] as const) {
    it(`given ${JSON.stringify(fields)}, asks for a bigint or a decimal string, as getPrice does`, async () => {
      for (const ask of [getQuote, getPrice]) {
        const { client } = fakeService([json({})]);
        const error = await rejectionOf(ask(client, { ...intent, ...fields } as never));
        expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
        expect(error).to.have.property("message").which.includes("neither a bigint nor a decimal string");
      }
    });
  }

  it("posts whole calls, and none of its own options", async () => {
    const { calls, client } = fakeService([json(bridgeQuote())]);
    const value = 2n ** 255n;
    await getQuote(client, { ...intent, retryCount: 0, timeout: 1_000, txs: [{ to: token, value }] });
    expect(calls[0]?.body).to.deep.equal({
      ...intent,
      amount: "10000000000000000",
      includeProtocolData: true,
      txs: [{ data: "0x", to: token, value: value.toString() }],
    });
  });

  it("returns the wire as it came, unknown fields included, with exact amounts", async () => {
    const answer = quoteWith((2n ** 256n - 1n).toString());
    const { client } = fakeService([json(answer)]);
    const returned = await getQuote(client, intent);
    expect(returned).to.deep.equal(answer);
    expect(amountOf(returned.details.currencyIn)).to.equal(2n ** 256n - 1n);
  });
});

const answer = endpointCalls.find(({ name }) => name === "getSignature")?.answer;

describe("getSignature", () => {
  for (const signature of ["", "0x", `0x${"4c".repeat(64)}4`, `0x${"4c".repeat(66)}`, 7]) {
    it(`refuses ${signature}, which is no signature`, async () => {
      const { client } = fakeService([json({ ...answer, signature })]);
      expect(await rejectionOf(getSignature(client, { requestId }))).to.have.property("path", "signature");
    });
  }
});

describe("endpoints with a request id in their path", () => {
  const calls = {
    getSignature: (client: Client, id: string) => getSignature(client, { requestId: id }),
    getStatus: (client: Client, id: string) => getStatus(client, { requestId: id }),
  };
  for (const [name, call] of Object.entries(calls)) {
    it(`${name} refuses an id that is not 32 bytes, and asks nothing`, async () => {
      for (const id of ["../admin", requestId.slice(0, -2), `${requestId}/..`]) {
        const { calls: asked, client } = fakeService([]);
        expect(await rejectionOf(call(client, id))).to.include({ code: "INVALID_PARAMETER" });
        expect(asked).to.have.length(0);
      }
    });
  }
});

describe("getAppFeeBalances", () => {
  it("escapes a wallet that is no EVM address in the path", async () => {
    const { calls, client } = fakeService([json({ balances: [] })]);
    await getAppFeeBalances(client, { wallet: "../../admin?x=#" });
    expect(calls[0]?.pathname).to.equal("/app-fees/..%2F..%2Fadmin%3Fx%3D%23/balances");
  });
});

const chain = {
  id: 31337,
  solverCurrencies: [
    { address: native, decimals: 18, name: "Ether", symbol: "ETH" },
    { address: token.toLowerCase(), decimals: 6, name: "USD Coin", symbol: "USDC" },
  ],
};

function errorOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    return error;
  }
}

describe("checkReceiverCurrency", () => {
  it("a solver currency in any letter case: returns all that a receiver takes", () => {
    const accepted = [
      { address: native, symbol: "ETH" },
      { address: token.toLowerCase(), symbol: "USDC" },
    ];
    for (const currency of [native, token, token.toLowerCase()] as const) {
      expect(checkReceiverCurrency({ chain, currency: currency as typeof native })).to.deep.equal(accepted);
    }
  });

  it("another currency: is refused with the accepted ones and the way that works", () => {
    const error = errorOf(() => checkReceiverCurrency({ chain, currency: user }));
    expect(error).to.be.instanceOf(ReceiverCurrencyError);
    expect(error).to.include({ chainId: 31337, code: "RECEIVER_CURRENCY", currency: user });
    expect(error).to.have.property("message").which.includes("USDC").and.includes("swap before the deposit");
  });

  it("a chain without solver currencies, and a value that is no address: are named", () => {
    const bare = errorOf(() => checkReceiverCurrency({ chain: { id: 1 }, currency: native }));
    expect(bare).to.include({ code: "INVALID_PARAMETER", parameter: "chain.solverCurrencies" });
    const invalid = errorOf(() => checkReceiverCurrency({ chain, currency: "ETH" as typeof native }));
    expect(invalid).to.include({ code: "INVALID_PARAMETER", parameter: "currency" });
  });
});

describe("the builder of filters", () => {
  it("builds groups, merges their parts and negates fields", () => {
    const groups = anyOf(
      { depositAddress: "0xabc", originChainId: 8453 },
      allOf({ destinationChainId: [1, 10] }, not({ requestType: "Call", status: ["failure", "refund"] })),
    );
    expect(groups).to.deep.equal([
      { depositAddress: "0xabc", originChainId: 8453 },
      { destinationChainId: [1, 10], "not:requestType": "Call", "not:status": ["failure", "refund"] },
    ]);
  });
});

describe("iterateRequests", () => {
  const page = (ids: readonly string[], continuation?: string) =>
    json({
      requests: ids.map((id) => recordV3({ id })),
      ...(continuation === undefined ? {} : { continuation }),
    });

  it("requests each page with the cursor of the one before", async () => {
    const { calls, client } = fakeService([page(["a", "b"], "c1"), page([], "c2"), page(["c"])]);
    const ids: string[] = [];
    for await (const { id } of iterateRequests(client, { limit: 2, status: "success" })) ids.push(id);
    expect(ids).to.deep.equal(["a", "b", "c"]);
    expect(calls.map(({ query }) => query)).to.deep.equal([
      { limit: "2", status: "success" },
      { continuation: "c1", limit: "2", status: "success" },
      { continuation: "c2", limit: "2", status: "success" },
    ]);
  });

  it("throws when a cursor repeats", async () => {
    const { calls, client } = fakeService([page(["a"], "c1"), page(["b"], "c2"), page(["a"], "c1")]);
    const work = (async () => {
      for await (const record of iterateRequests(client)) void record;
    })();
    expect(await rejectionOf(work)).to.include({ code: "RESPONSE_INVALID", path: "continuation" });
    expect(calls).to.have.length(3);
  });
});
