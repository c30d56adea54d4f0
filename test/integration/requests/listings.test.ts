import { expect } from "chai";
import { type Hex, parseEther, zeroAddress } from "viem";
import { type Emulator, startEmulator } from "../../../emulator/index.ts";
import { createClient, getQuote, type Quote } from "../../../src/client/index.ts";
import { execute } from "../../../src/execute/index.ts";
import { requestsV2PageSchema } from "../../../src/schema/record/requestV2.ts";
import { requestsPageSchema } from "../../../src/schema/record/requestV3.ts";
import { legacyStatusSchema, statusSchema, statusV2Schema } from "../../../src/schema/request/status.ts";
import { type TestChain, testChain } from "../../helpers/emulatorFixture.ts";
import { quickSleep } from "../../helpers/quickSleep.ts";

const recipient = "0x00000000000000000000000000000000000a11ce";
const ether = parseEther("1");
const october = Date.UTC(2026, 9, 1);

describe("records of requests over HTTP", () => {
  let emulator: Emulator;
  let alpha: TestChain;
  let requestId: Hex;
  let waiting: Hex;
  /** Lead of the emulator's clock over the system clock. */
  let shift = 0;
  before(async () => {
    shift = october - Date.now();
    emulator = await startEmulator({ chainPorts: [0, 0], now: () => Date.now() + shift, port: 0 });
    const [first] = emulator.info.chains;
    if (first === undefined) throw new Error("there is no chain");
    alpha = testChain(first);
    const client = createClient({
      baseUrl: emulator.info.apiUrl,
      sleep: quickSleep,
      now: () => Date.now() + shift,
    });
    const done = await quoteOf(client);
    requestId = done.steps[0]?.requestId as Hex;
    await execute(client, {
      publicClient: alpha.reader,
      quote: done,
      timeout: 20_000,
      verify: false,
      wallet: alpha.wallet(0),
    });
    const answer = await post("/quote/v2", quoteBody({ referrer: "an-app" }), { "x-api-key": key() });
    waiting = ((await answer.json()) as Quote).steps[0]?.requestId as Hex;
  });
  after(() => emulator.stop());

  function key(): string {
    const [first] = emulator.info.apiKeys;
    if (first === undefined) throw new Error("there is no API key");
    return first.key;
  }

  function quoteBody(more: object = {}) {
    return {
      amount: ether.toString(),
      destinationChainId: 31338,
      destinationCurrency: zeroAddress,
      originChainId: 31337,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT" as const,
      user: alpha.wallet(0).account.address,
      ...more,
    };
  }

  function quoteOf(client: ReturnType<typeof createClient>): Promise<Quote> {
    return getQuote(client, { ...quoteBody(), amount: ether });
  }

  function post(path: string, body: unknown, headers: Record<string, string> = {}) {
    return fetch(`${emulator.info.apiUrl}${path}`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...headers },
      method: "POST",
    });
  }

  async function get(path: string, headers: Record<string, string> = { "x-api-key": key() }) {
    const answer = await fetch(`${emulator.info.apiUrl}${path}`, { headers });
    const text = await answer.text();
    return { answer, body: JSON.parse(text) as Record<string, unknown>, status: answer.status };
  }

  async function v3(query: string) {
    const { body, status } = await get(`/requests/v3?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return requestsPageSchema.parse(body);
  }

  async function v2(query: string, headers?: Record<string, string>) {
    const { answer, body, status } = await get(`/requests/v2?${query}`, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
    return { answer, page: requestsV2PageSchema.parse(body) };
  }

  describe("version 3", () => {
    // @spec record-v3/root record-v3/reasons record-v3/transactions record-v3/deposited record-v3/received
    // @spec record-v3/quoted-output record-v3/deposit record-v3/settlement record-v3/fees
    // @spec record-v3/referrer version/v3-tx-hash version/v3-null-reasons version/v3-fees
    // @spec version/v3-platform
    it("returns a filled request with all fields, amounts to the unit", async () => {
      const [record, ...others] = (await v3(`id=${requestId}`)).requests;
      expect(others).to.deep.equal([]);
      expect(record).to.include({ id: requestId, recipient, requestType: "Bridge", status: "success" });
      expect(record).to.have.keys(
        ...["createdAt", "data", "depositAddress", "features", "id", "protocol", "recipient", "refundTo"],
        ...["requestType", "sender", "status", "supersededByRequestId", "updatedAt", "user"],
      );
      const { data, protocol } = record ?? {};
      expect(data).to.include({ failReason: null, refundFailReason: null });
      expect(data).to.include({ failedCallData: null, failedTxBlockNumber: null, failedTxHash: null });
      expect(data).to.not.have.property("referrer");
      expect(data?.inTxs).to.have.length(1);
      expect(data?.outTxs).to.have.length(1);
      expect(data?.inTxs?.[0]).to.include({ chainId: 31337, status: "success", type: "onchain" });
      const received = data?.route?.actual?.destination?.outputCurrency?.amount;
      const promised = data?.route?.actual?.destination?.inputCurrency?.amount;
      expect(received).to.equal(promised);
      expect(data?.route?.actual?.origin?.inputCurrency?.amount).to.equal(ether.toString());
      expect(protocol?.deposit?.origin).to.include({
        amount: ether.toString(),
        transactionId: data?.inTxs?.[0]?.txHash,
      });
      expect(
        protocol?.settlement?.destination?.fills?.map(({ transactionId }) => transactionId),
      ).to.deep.equal([data?.outTxs?.[0]?.txHash]);
      expect(Object.keys(data?.fees?.quoted ?? {}).sort()).to.deep.equal([
        ...["app", "execution", "platform", "sponsored", "swap"],
      ]);
    });

    // @spec requests-v3/and requests-v3/term requests-v3/ids requests-v3/tx-hashes requests-v3/addresses
    // @spec requests-v3/status requests-v3/currency-symbols requests-v3/request-type
    // @spec requests-v3/filters-not requests-v3/filters-list version/v3-parameters
    it("finds a request by each of its transactions, its id, its order, its user and its recipient", async () => {
      const [record] = (await v3(`id=${requestId}`)).requests;
      const deposit = record?.data?.inTxs?.[0]?.txHash ?? "";
      for (const query of [
        ...[
          `depositTxHash=${deposit}`,
          `term=${deposit}`,
          `term=${requestId.toUpperCase().replace("0X", "0x")}`,
        ],
        ...[
          `orderId=${record?.protocol?.orderId}`,
          `term=${recipient}&status=success`,
          `user=${recipient}&status=success`,
        ],
        `recipient=${recipient}&originChainId=31337&currencyInSymbol=eth&status=success&requestType=bridge`,
        `filters=${encodeURIComponent(JSON.stringify([{ "not:status": ["failure", "refund"], id: requestId }]))}`,
      ]) {
        expect(
          (await v3(query)).requests.map(({ id }) => id),
          query,
        ).to.deep.equal([requestId]);
      }
    });

    // @spec requests-v3/page version/v3-pages endpoints/requests-page
    it("pages with a cursor, and has none on the last page", async () => {
      const first = await v3("limit=1");
      const second = await v3(`limit=1&continuation=${first.continuation}`);
      expect([...first.requests, ...second.requests].map(({ id }) => id)).to.deep.equal([waiting, requestId]);
      expect(second).to.not.have.property("continuation");
      expect((await v3("includeTotal=true")).total).to.equal(2);
      expect(await v3("")).to.not.have.property("total");
    });

    it("rejects cursors that it did not make, and cursors of another order", async () => {
      const { continuation } = await v3("limit=1");
      for (const query of ["continuation=nonsense", `continuation=${continuation}&sortBy=amountUsd`]) {
        const { body, status } = await get(`/requests/v3?${query}`);
        expect([status, body.errorCode], query).to.deep.equal([400, "INVALID_REQUEST"]);
      }
    });

    // @spec requests-v3/key auth/requests-v3 version/v3-key requests-v3/api-key auth/tied
    it("version 3 needs a key, and does not accept another one as a filter", async () => {
      expect((await get("/requests/v3", {})).status).to.equal(401);
      expect((await v3(`apiKey=${key()}`)).requests.map(({ id }) => id)).to.deep.equal([waiting]);
      const group = encodeURIComponent(JSON.stringify([{ "not:apiKey": "somebody-else" }]));
      for (const query of ["apiKey=somebody-else", `apiKey=${key()},other`, `filters=${group}`]) {
        const { body, status } = await get(`/requests/v3?${query}`);
        expect([status, body.errorCode], query).to.deep.equal([403, "FORBIDDEN"]);
      }
    });

    // @spec requests-v3/limit requests-v3/filters-fields
    it("rejects filters out of bounds or malformed", async () => {
      for (const query of [
        ...[
          "limit=0",
          "limit=51",
          "limit=x",
          "status=waiting",
          "sortBy=id",
          "requestType=Loan",
          "filters=[]",
        ],
        ...[
          "filters=nonsense",
          `filters=${encodeURIComponent('[{"features":"app_fees"}]')}`,
          "amountUsdMin=-1",
        ],
      ]) {
        const { body, status } = await get(`/requests/v3?${query}`);
        expect([status, body.errorCode], query).to.deep.equal([400, "INVALID_REQUEST"]);
      }
    });
  });

  // @spec requests-v3/no-hash version/v3-parameters
  it("rejects a parameter of the other version in each listing, and names its replacement", async () => {
    const hashes = "use `depositTxHash`, `fillTxHash`, `refundTxHash` or `term`";
    for (const [path, name, reason] of [
      ["/requests/v3", "hash", `of version 2: ${hashes}`],
      ["/requests/v3", "referrer", "of version 2: use `apiKey`"],
      ["/requests/v3", "includeOrderData", "of version 2: records of version 3 carry no order"],
      ["/requests/v2", "term", "of version 3: use `/requests/v3`"],
      ["/requests/v2", "depositTxHash", "of version 3: use `/requests/v3`"],
      ["/requests/v2", "filters", "of version 3: use `/requests/v3`"],
    ] as const) {
      const { body, status } = await get(`${path}?${name}=true`, { "x-api-key": key() });
      expect([status, body]).to.deep.equal([
        400,
        {
          errorCode: "INVALID_REQUEST",
          message: `Invalid request: \`${name}\` is a parameter ${reason}`,
        },
      ]);
    }
  });

  describe("version 2", () => {
    // @spec requests-v2/key requests-v2/id requests-v2/hash record-v2/reasons version/v2-deprecated
    // @spec version/v2-successor auth/requests-v2
    it("version 2 returns the same request in the older form, with deprecation and sunset headers", async () => {
      const { answer, page } = await v2(`id=${requestId}`, {});
      expect(answer.headers.get("deprecation")).to.equal("@1784678400");
      expect(answer.headers.get("sunset")).to.equal("Tue, 24 Nov 2026 00:00:00 GMT");
      const successor = `${emulator.info.apiUrl}/requests/v3`;
      const links = answer.headers.get("link")?.split(", ") ?? [];
      expect(links.map((link) => link.match(/rel="(.+)"/)?.[1])).to.deep.equal([
        ...["deprecation", "sunset", "successor-version"],
      ]);
      expect(links.at(-1)).to.equal(`<${successor}>; rel="successor-version"`);
      expect(page.deprecation).to.include({
        deprecatedAt: "2026-07-22T00:00:00.000Z",
        successor,
        sunsetAt: "2026-11-24T00:00:00.000Z",
        throttledFrom: "2026-09-01T00:00:00.000Z",
      });
      const [record] = page.requests;
      expect(record).to.include({ id: requestId, status: "success" });
      expect(record?.data).to.include({ failReason: "N/A", refundFailReason: "N/A" });
      expect(record?.data?.inTxs?.[0]?.hash).to.match(/^0x[0-9a-f]{64}$/);
      const byHash = await v2(`hash=${record?.data?.outTxs?.[0]?.hash}`, {});
      expect(byHash.page.requests.map(({ id }) => id)).to.deep.equal([requestId]);
    });

    // @spec record-v2/order-data requests-v2/include-order-data
    it("version 2 shows the output of an open order to its creator only", async () => {
      const query = `id=${waiting}&includeOrderData=true`;
      const [open] = (await v2(query, {})).page.requests;
      expect(open?.orderData).to.include.keys("inputs", "salt").and.not.have.property("output");
      const [own] = (await v2(query)).page.requests;
      expect(own?.orderData).to.include.keys("inputs", "output");
      const [ended] = (await v2(`id=${requestId}&includeOrderData=true`, {})).page.requests;
      expect(ended?.orderData).to.include.keys("inputs", "output");
      const [plain] = (await v2(`id=${requestId}`, {})).page.requests;
      expect(plain).to.not.have.property("orderData");
    });

    // @spec requests-v2/referrer requests-v2/api-key
    it("version 2 finds by referrer only with a key, and only the key's own requests", async () => {
      expect((await get("/requests/v2?referrer=an-app")).status).to.equal(400);
      expect((await get("/requests/v2?referrer=an-app&apiKey=other")).status).to.equal(403);
      expect((await get(`/requests/v2?referrer=an-app&apiKey=${key()}`, {})).status).to.equal(403);
      const { page } = await v2(`referrer=an-app&apiKey=${key()}`);
      expect(page.requests.map(({ id }) => id)).to.deep.equal([waiting]);
    });

    // @spec version/v2-retired version/v2-successor
    it("version 2 answers 410 from 24 November 2026 on, and names its successor", async () => {
      shift += Date.UTC(2026, 10, 24) - october;
      const { answer, body, status } = await get("/requests/v2", {});
      shift -= Date.UTC(2026, 10, 24) - october;
      expect(status).to.equal(410);
      expect(body).to.have.keys("message", "migrationGuide", "successor");
      expect(body.successor).to.equal(`${emulator.info.apiUrl}/requests/v3`);
      expect(answer.headers.get("deprecation")).to.equal("@1784678400");
    });
  });

  describe("version 2 after its sunset by the calendar", () => {
    const december = Date.UTC(2026, 11, 1);
    const sunset = (requestsV2Sunset: string) => emulator.control.config.set({ requestsV2Sunset });
    before(() => {
      shift += december - october;
    });
    after(async () => {
      shift -= december - october;
      await sunset("2026-11-24T00:00:00.000Z");
    });

    it("an older listing without a sunset stays, without a Sunset header", async () => {
      await sunset("never");
      const { answer, page } = await v2("limit=1", {});
      expect(answer.headers.get("sunset")).to.equal(null);
      expect(answer.headers.get("deprecation")).to.equal("@1784678400");
      expect(page.deprecation?.sunsetAt).to.equal(null);
    });

    it("the older listing ends on the configured date", async () => {
      await sunset("2026-12-02T00:00:00.000Z");
      expect((await v2("limit=1", {})).answer.headers.get("sunset")).to.equal(
        "Wed, 02 Dec 2026 00:00:00 GMT",
      );
      await sunset("2026-12-01T00:00:00.000Z");
      const { body, status } = await get("/requests/v2", {});
      expect([status, body.message]).to.deep.equal([410, "GET /requests/v2 was retired on 2026-12-01"]);
    });
  });

  // @spec status/fields status-request/legacy endpoints/legacy-status version/paths state/waiting
  it("returns the status in all three forms, and received as the legacy status of a waiting request", async () => {
    const query = `?requestId=${requestId}`;
    const [third, second, legacy] = await Promise.all(
      ["/intents/status/v3", "/intents/status/v2", "/intents/status"].map((path) =>
        get(`${path}${query}`, {}),
      ),
    );
    for (const answer of [third, second, legacy]) expect(answer?.body).to.have.property("details", null);
    const chains = { destinationChainId: 31338, originChainId: 31337 };
    expect(statusSchema.parse(third?.body)).to.include({ failReason: "N/A", status: "success", ...chains });
    expect(third?.body).to.include.keys("updatedAt", "quoteCreatedAt", "inTxHashes", "txHashes");
    expect(statusV2Schema.parse(second?.body)).to.include({ status: "success" });
    expect(second?.body).to.include.keys("time", "quoteCreatedAt").and.not.have.property("updatedAt");
    expect(legacyStatusSchema.parse(legacy?.body)).to.include({ status: "success" });
    expect(legacy?.body).to.include.keys("time").and.not.have.any.keys("updatedAt", "quoteCreatedAt");
    expect((await get(`/intents/status?requestId=${waiting}`, {})).body.status).to.equal("received");
  });
});
