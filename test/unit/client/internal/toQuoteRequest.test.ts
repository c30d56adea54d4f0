import { expect } from "chai";
import { createClient, getPrice, getQuote } from "../../../../src/client/index.ts";
import { rejectionOf } from "../support/fakeService.ts";
import { intent } from "../support/samples.ts";

const client = createClient({ baseUrl: "http://service.test", fetch: async () => new Response("{}") });
const call = { data: "0x12", to: intent.user } as const;

describe("toQuoteRequest", () => {
  const bent: readonly [string, object][] = [
    ["amount", { ...intent, amount: 1 }],
    ["amount", { ...intent, amount: undefined }],
    ["txs.0.value", { ...intent, txs: [{ ...call, value: 1 }] }],
  ];
  for (const [parameter, request] of bent) {
    it(`given a ${parameter} that is neither a bigint nor text, names both in its error`, async () => {
      for (const ask of [getQuote, getPrice]) {
        const error = await rejectionOf(ask(client, request as never));
        expect(error).to.include({ code: "INVALID_PARAMETER", parameter });
        expect(error).to.have.property("message").which.includes("neither a bigint nor a decimal string");
      }
    });
  }
});
