import { expect } from "chai";
import type { Hex } from "viem";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import { verifyOrder } from "../../../src/records/verifyOrder.ts";
import type { OrderData } from "../../../src/schema/quote/order.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { endOf, quoteFor, requestIdOf, type Wanted } from "../../helpers/quotes/intents.ts";
import { admin } from "../../helpers/requests/requestRun.ts";

const recipient = "0x0000000000000000000000000000000000c01501";

type Amount = { readonly amountFormatted: string; readonly chainId: number; readonly symbol: string } | null;
type Row = {
  readonly requestId: string;
  readonly status: string;
  readonly paid: Amount;
  readonly received: Amount;
  readonly refunded: Amount;
  readonly quoted: { readonly paid: Amount; readonly received: Amount };
};
type Page = {
  readonly continuation?: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly requests: readonly Row[];
  readonly total?: number;
};

describe("requests of all keys", () => {
  const fixture = useEmulator();

  async function list(query: Readonly<Record<string, string>> = {}): Promise<Page> {
    const { body, status } = await admin(fixture, "GET", `/requests?${new URLSearchParams(query)}`);
    expect(status).to.equal(200);
    return body as Page;
  }

  async function ended(wanted: Wanted): Promise<Row> {
    const quote = await quoteFor(fixture, wanted);
    await endOf(fixture, quote);
    const { requests } = await list({ term: requestIdOf(quote) });
    if (requests[0] === undefined) throw new Error("the list lacks the request");
    return requests[0];
  }

  it("a waiting request: shows its quote, and nothing that moved", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", to: "USDC" });
    const { requests } = await list({ term: requestIdOf(quote) });
    expect(requests[0]).to.include({ paid: null, received: null, refunded: null, status: "waiting" });
    expect(requests[0]?.quoted.paid).to.include({ chainId: fixture.alpha.info.id, symbol: "USDC" });
  });

  it("a filled request: shows what was paid and delivered", async () => {
    const { paid, received, refunded } = await ended({ from: "USDC", to: "USDC" });
    expect(paid).to.include({ chainId: fixture.alpha.info.id, symbol: "USDC" });
    expect(received).to.include({ chainId: fixture.beta.info.id, symbol: "USDC" });
    expect(refunded).to.equal(null);
  });

  it("a refunded request: shows what was refunded, in place of what was quoted", async () => {
    const row = await ended({ from: "USDC", referrer: "debug-force-refund", refundTo: recipient, to: "ETH" });
    expect(row.received).to.equal(null);
    expect(row.refunded).to.include({ chainId: fixture.alpha.info.id, symbol: "USDC" });
    expect(Number(row.refunded?.amountFormatted)).to.be.lessThan(Number(row.paid?.amountFormatted));
  });

  it("pages: continue where the last one ended, with total and counts of each status", async () => {
    const whole = await list({ includeCounts: "true", includeTotal: "true", limit: "50" });
    const first = await list({ limit: "1" });
    const second = await list({ continuation: first.continuation ?? "", limit: "50" });
    expect([...first.requests, ...second.requests]).to.deep.equal(whole.requests);
    expect(whole.total).to.equal(whole.requests.length);
    const counted = Object.values(whole.counts ?? {}).reduce((sum, count) => sum + count, 0);
    expect(counted).to.equal(whole.total);
    expect((await list({ status: "refund" })).requests).to.have.length(whole.counts?.["refund"] ?? 0);
  });

  it("a request of a key: is shown without that key's secret, with its record and its signed order", async () => {
    const { requestId } = await ended({ from: "USDC", to: "USDC" });
    const { body, status } = await admin(fixture, "GET", `/requests/${requestId}`);
    expect(status).to.equal(200);
    const { quote, record } = body as {
      quote: { protocol: { v2: { orderData: OrderData; orderId: Hex; orderSignature: Hex } } };
      record: { id: string; data: { inTxs: readonly unknown[] } };
    };
    expect(record.id).to.equal(requestId);
    expect(record.data.inTxs).to.have.length(1);
    const { orderData, orderId, orderSignature: signature } = quote.protocol.v2;
    const order = normalizeOrder({ orderData });
    expect(hashOrder({ order })).to.equal(orderId);
    const { solver } = fixture.emulator.info;
    expect(await verifyOrder({ order, orderId, signature, solver })).to.include({ valid: true });
    expect(JSON.stringify(body)).to.not.include(fixture.emulator.info.apiKeys[0]?.key);
    expect((await admin(fixture, "GET", `/requests/0x${"00".repeat(32)}`)).status).to.equal(404);
  });
});
