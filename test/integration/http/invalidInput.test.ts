import { connect } from "node:net";
import { text as readText } from "node:stream/consumers";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

const user = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

const good = {
  amount: "1000000000000000000",
  destinationChainId: 31338,
  destinationCurrency: zeroAddress,
  originChainId: 31337,
  originCurrency: zeroAddress,
  recipient: user,
  tradeType: "EXACT_INPUT",
  user,
};

describe("the emulator and invalid input", () => {
  const fixture = useEmulator();

  async function post(
    body: string,
  ): Promise<{ status: number; body: Record<string, unknown>; text: string }> {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/quote/v2`, {
      body,
      headers: { "content-type": "application/json" },
      method: "POST",
    });
    const text = await answer.text();
    return { body: JSON.parse(text) as Record<string, unknown>, status: answer.status, text };
  }

  // @spec quote-request/status
  it("answers the valid request that the invalid ones vary", async () => {
    expect((await post(JSON.stringify(good))).status).to.equal(200);
  });

  const cases: [name: string, body: unknown, errorCode: string][] = [
    ["an unknown origin chain", { ...good, originChainId: 999_999 }, "UNSUPPORTED_CHAIN"],
    ["an unknown destination chain", { ...good, destinationChainId: 999_999 }, "UNSUPPORTED_CHAIN"],
    ["a chain id of zero", { ...good, originChainId: 0 }, "INVALID_REQUEST"],
    ["a malformed user", { ...good, user: "0x1234" }, "INVALID_ADDRESS"],
    ["a malformed recipient", { ...good, recipient: "nobody" }, "INVALID_RECIPIENT"],
    ["a malformed refundTo", { ...good, refundTo: `${user}00` }, "INVALID_ADDRESS"],
    ["a malformed origin currency", { ...good, originCurrency: "0xzz" }, "INVALID_INPUT_CURRENCY"],
    ["an unknown destination currency", { ...good, destinationCurrency: user }, "INVALID_OUTPUT_CURRENCY"],
    ["a negative amount", { ...good, amount: "-1" }, "INVALID_REQUEST"],
    ["a non-numeric amount", { ...good, amount: "one" }, "INVALID_REQUEST"],
    ["a fractional amount", { ...good, amount: "1.5" }, "INVALID_REQUEST"],
    ["an amount of zero", { ...good, amount: "0" }, "AMOUNT_TOO_LOW"],
    ["an amount that does not cover the fees", { ...good, amount: "1" }, "AMOUNT_TOO_LOW"],
    ["an amount beyond uint256", { ...good, amount: (2n ** 256n).toString() }, "INVALID_REQUEST"],
    [
      "an amount beyond the solver's means",
      { ...good, amount: (2n ** 100n).toString() },
      "INSUFFICIENT_LIQUIDITY",
    ],
    ["an amount that is a number", { ...good, amount: 1 }, "INVALID_REQUEST"],
    ["a chain id that is a string", { ...good, originChainId: "31337" }, "INVALID_REQUEST"],
    ["an unknown trade type", { ...good, tradeType: "EXACT" }, "INVALID_REQUEST"],
    ["a missing user", { ...good, user: undefined }, "INVALID_REQUEST"],
    [
      "a slippage that is not basis points",
      { ...good, slippageTolerance: "1%" },
      "INVALID_SLIPPAGE_TOLERANCE",
    ],
    ["txs that are not a list", { ...good, txs: "none" }, "INVALID_REQUEST"],
    [
      "txs with calldata that is not hex",
      { ...good, txs: [{ data: "0x0", to: user, value: "0" }] },
      "INVALID_REQUEST",
    ],
    ["the same currency on the same chain", { ...good, destinationChainId: 31337 }, "UNSUPPORTED_ROUTE"],
    ["a recipient that is a currency", { ...good, recipient: zeroAddress }, "INVALID_RECIPIENT"],
    ["a list instead of an object", [good], "INVALID_REQUEST"],
    ["null", null, "INVALID_REQUEST"],
  ];
  for (const [name, body, errorCode] of cases) {
    // @spec quote-request/chains quote-request/amount quote-request/trade-type quote-request/txs
    // @spec quote-request/error
    it(`rejects ${name} with ${errorCode}`, async () => {
      const answer = await post(JSON.stringify(body));
      expect(answer.status).to.equal(400);
      expect(answer.body.errorCode).to.equal(errorCode);
      expect(answer.body.message).to.be.a("string").that.is.not.empty;
      expect(answer.text).to.not.match(/\bat .*\.(ts|js):\d+/);
    });
  }

  // @spec service/json
  it("rejects a body that is not JSON", async () => {
    for (const body of ["", "{", "\u0000", '{"amount":1', "<xml/>"]) {
      const answer = await post(body);
      expect([answer.status, answer.body.errorCode]).to.deep.equal([400, "INVALID_REQUEST"]);
    }
  });

  it("rejects a body of a megabyte, well formed or not", async () => {
    for (const body of [
      "x".repeat(1_000_000),
      JSON.stringify({ ...good, referrer: "x".repeat(1_000_000) }),
    ]) {
      const answer = await post(body);
      expect([answer.status, answer.body.errorCode]).to.deep.equal([413, "BODY_TOO_LARGE"]);
    }
  });

  it("answers an unknown request on the signature endpoint with the documented 400", async () => {
    for (const id of [`0x${"00".repeat(32)}`, "nonsense", "%00"]) {
      const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/${id}/signature`);
      expect(answer.status).to.equal(400);
      expect(await answer.json()).to.have.keys("message", "code");
    }
  });

  // @spec status-request/id
  it("answers an unknown or missing request on the status endpoints with a 4xx", async () => {
    for (const path of ["/intents/status/v3", "/intents/status"]) {
      for (const [query, status] of [
        [`?requestId=0x${"00".repeat(32)}`, 404],
        ["", 400],
        ["?requestId=", 400],
      ] as const) {
        const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}${query}`);
        expect(answer.status).to.equal(status);
        expect(await answer.json()).to.have.keys("message", "errorCode");
      }
    }
  });

  it("answers unknown paths and methods with a 404 in the same shape", async () => {
    for (const [method, path] of [
      ["GET", "/nothing"],
      ["GET", "/quote/v2"],
      ["DELETE", "/chains"],
    ] as const) {
      const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, { method });
      expect(answer.status).to.equal(404);
      expect(await answer.json()).to.have.keys("message", "errorCode");
    }
  });
});

describe("the API and broken clients", () => {
  const errors: string[] = [];
  const fixture = useEmulator({
    log: ({ cause, level, message }) => {
      if (level === "error") errors.push(`${message} ${String(cause)}`);
    },
  });
  afterEach(() => expect(errors.splice(0)).to.deep.equal([]));

  it("oversized headers and data that is not HTTP get a 4xx and the end of the connection", async () => {
    for (const [text, status] of [
      [`GET /chains HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(20 * 1024)}\r\n\r\n`, 431],
      ["\u0000\u0001\u0002\r\n\r\n", 400],
      ["GET /chains HTTP/9.9\r\n\r\n", 400],
      ["GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400],
    ] as const) {
      const socket = connect(Number(new URL(fixture.emulator.info.apiUrl).port), "127.0.0.1");
      socket.write(text);
      expect(await readText(socket), text.slice(0, 30)).to.match(new RegExp(`^HTTP/1\\.1 ${status} `));
    }
  });
});
