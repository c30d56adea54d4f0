import { expect } from "chai";
import {
  allOf,
  anyOf,
  type Client,
  checkReceiverCurrency,
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
import { intent as anIntent, native, requestId, token, user } from "./support/samples.ts";

const intent = { ...anIntent, amount: 10n ** 16n };

const call = { data: "0x12", to: token };

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
