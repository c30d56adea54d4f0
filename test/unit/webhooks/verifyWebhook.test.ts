import { createHash } from "node:crypto";
import { expect } from "chai";
import fc from "fast-check";
import {
  BaseError,
  dedupeKey,
  InvalidParameterError,
  signWebhook,
  verifyWebhook,
  type WebhookHeaders,
  WebhookInvalidError,
} from "../../../src/webhooks/index.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { eventBody, headersOf, now, requestId, secret } from "./support/delivery.ts";

const options = { now: () => now, secrets: [secret] };
const body = eventBody();

async function faultOf(rawBody: unknown, headers: unknown, more = {}): Promise<string> {
  const work = verifyWebhook(rawBody as string, headers as WebhookHeaders, { ...options, ...more });
  const error = await rejectionOf(work);
  if (!(error instanceof WebhookInvalidError)) throw error;
  expect(error.message).to.not.include(secret);
  expect(error).to.include({ code: "WEBHOOK_INVALID", name: "WebhookInvalidError" });
  return error.reason;
}

describe("verifyWebhook", () => {
  // @spec webhook/hmac webhook/signature-headers
  it("accepts a body that the service signed, byte for byte, in every form of body and headers", async () => {
    const bytes = new TextEncoder().encode(body);
    const headers = headersOf(body);
    const lower = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    );
    for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)]) {
      for (const form of [headers, lower, new Headers(headers), new Map(Object.entries(lower))]) {
        const { event, secretIndex, sentAt } = await verifyWebhook(raw, form, options);
        expect(event.data).to.deep.include({ requestId, status: "success" });
        expect([secretIndex, sentAt]).to.deep.equal([0, now]);
      }
    }
  });

  it("takes a view into a larger buffer for no more than its own bytes", async () => {
    const larger = Buffer.from(`xx${body}yy`);
    const view = larger.subarray(2, larger.length - 2);
    expect((await verifyWebhook(view, headersOf(body), options)).event.event).to.equal(
      "request.status.updated",
    );
  });

  it("reads a time of sending in milliseconds", async () => {
    const { sentAt } = await verifyWebhook(body, headersOf(body, { timestamp: String(now) }), options);
    expect(sentAt).to.equal(now);
  });

  it("tries every secret and returns the index of the one that fits", async () => {
    const secrets = ["new-key", "newer-key", secret];
    expect((await verifyWebhook(body, headersOf(body), { ...options, secrets })).secretIndex).to.equal(2);
    expect(await faultOf(body, headersOf(body), { secrets: ["a", "b"] })).to.equal("no_match");
  });

  // @spec webhook/constant-time
  it("compares signatures by the platform's verification of an HMAC, which takes constant time", async () => {
    const { subtle } = crypto;
    const verify = subtle.verify;
    const compared: [string, number, boolean][] = [];
    subtle.verify = async (algorithm, key, signature, data) => {
      const fits = await verify.call(subtle, algorithm, key, signature, data);
      compared.push([key.algorithm.name, signature.byteLength, fits]);
      return fits;
    };
    try {
      await verifyWebhook(body, headersOf(body), { ...options, secrets: ["other", secret] });
      expect(await faultOf(body, headersOf(body, { key: "other" }))).to.equal("no_match");
    } finally {
      subtle.verify = verify;
    }
    expect(compared).to.have.deep.members([
      ["HMAC", 32, false],
      ["HMAC", 32, true],
      ["HMAC", 32, false],
    ]);
  });

  it("allows the tolerance and not a millisecond more, to either side", async () => {
    for (const [offset, reason] of [
      [300_000, undefined],
      [-300_000, undefined],
      [300_001, "stale"],
      [-300_001, "future"],
    ] as const) {
      const more = { now: () => now + offset };
      if (reason === undefined) await verifyWebhook(body, headersOf(body), { ...options, ...more });
      else expect(await faultOf(body, headersOf(body), more)).to.equal(reason);
    }
    expect(await faultOf(body, headersOf(body), { now: () => now + 1_001, toleranceSeconds: 1 })).to.equal(
      "stale",
    );
  });

  const headers = headersOf(body);
  const refused: [string, unknown, string][] = [
    ["no headers", {}, "missing_header"],
    ["headers that are nothing", null, "missing_header"],
    ["no signature", { ...headers, "X-Signature-SHA256": undefined }, "missing_header"],
    ["an empty time", { ...headers, "X-Signature-Timestamp": " " }, "missing_header"],
    ["two signatures", { ...headers, "X-Signature-SHA256": ["a", "b"] }, "duplicate_header"],
    ["two times in one line", { ...headers, "X-Signature-Timestamp": "1,2" }, "duplicate_header"],
    ["the same header in two letter cases", { ...headers, "x-signature-sha256": "00" }, "duplicate_header"],
    ["a time in words", { ...headers, "X-Signature-Timestamp": "now" }, "bad_timestamp"],
    ["a negative time", { ...headers, "X-Signature-Timestamp": "-1" }, "bad_timestamp"],
    ["a time with an exponent", { ...headers, "X-Signature-Timestamp": "17e8" }, "bad_timestamp"],
    ["a signature that is too short", { ...headers, "X-Signature-SHA256": "ab" }, "bad_hex"],
    ["a signature that is too long", { ...headers, "X-Signature-SHA256": "ab".repeat(33) }, "bad_hex"],
    ["a signature that is not hexadecimal", { ...headers, "X-Signature-SHA256": "zz".repeat(32) }, "bad_hex"],
    ["a signature of something else", { ...headers, "X-Signature-SHA256": "ab".repeat(32) }, "no_match"],
    ["headers that are a text", "x-signature-sha256", "missing_header"],
    ["a signature that is a number", { ...headers, "X-Signature-SHA256": 7 }, "missing_header"],
    ["another time than was signed", { ...headers, "X-Signature-Timestamp": "1700000001" }, "no_match"],
  ];
  for (const [what, given, reason] of refused) {
    it(`refuses ${what}: ${reason}`, async () => {
      expect(await faultOf(body, given)).to.equal(reason);
    });
  }

  // @spec webhook/hmac
  it("refuses a body with one bit changed, or a byte more or less", async () => {
    const bytes = new TextEncoder().encode(body);
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ max: 7, min: 0 }), async (index, bit) => {
        const changed = Uint8Array.from(bytes);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        expect(await faultOf(changed, headers)).to.equal("no_match");
      }),
    );
    expect(await faultOf(`${body} `, headers)).to.equal("no_match");
    expect(await faultOf(body.slice(0, -1), headers)).to.equal("no_match");
  });

  it("refuses a body that was parsed, even if the signature would fit its JSON", async () => {
    const parsed = JSON.parse(body);
    const own = headersOf(JSON.stringify(parsed));
    for (const value of [parsed, undefined, null, 7, [], new Date()]) {
      expect(await faultOf(value, own)).to.equal("parsed_body");
    }
  });

  const signed = ["", "null", "{}", "[]", "{", '{"event":"x","timestamp":1,"data":{"status":"success"}}'];
  for (const text of [...signed, Uint8Array.from([0x22, 0xff, 0x22])]) {
    it(`refuses a signed body that is no event: ${text}`, async () => {
      expect(await faultOf(text, headersOf(text))).to.equal("bad_body");
    });
  }

  for (const [text, details] of [
    ["null", /^expected object/i],
    ["{}", /^event: /],
    ["{", /^not JSON$/],
    [Buffer.from(body.replace("success", "succ\u00ffess"), "latin1"), /^not JSON$/],
  ] as const) {
    it(`says what a signed body that is no event lacks: ${details}`, async () => {
      const error = await rejectionOf(verifyWebhook(text, headersOf(text), options));
      expect(error).to.have.property("details").that.matches(details);
    });
  }

  it("refuses a body that is too long before it calculates anything", async () => {
    expect(await faultOf(new Uint8Array(1_048_577), {})).to.equal("too_long");
    expect(await faultOf(new Uint8Array(1_048_576), {})).to.equal("missing_header");
  });

  it("takes statuses and events that are not documented yet", async () => {
    const text = eventBody({ brandNew: 1, status: "paused" });
    const { event } = await verifyWebhook(text, headersOf(text), options);
    expect(event.data).to.deep.include({ brandNew: 1, status: "paused" });
  });

  const given: readonly (readonly [parameter: string, value: unknown])[] = [
    ...[[], [""], "key", undefined, [7], ["key", ""]].map((secrets) => ["secrets", secrets] as const),
    ["toleranceSeconds", Number.NaN],
    ["now", () => Number.NaN],
    ["now", now],
  ];
  for (const [parameter, value] of given) {
    it(`rejects ${parameter} of ${JSON.stringify(value) ?? value}`, async () => {
      const error = await rejectionOf(verifyWebhook(body, headers, { ...options, [parameter]: value }));
      expect(error).to.be.instanceOf(InvalidParameterError).and.have.property("parameter", parameter);
    });
  }

  it("gives a typed error for anything", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), fc.anything(), async (raw, given) => {
        const error = await rejectionOf(verifyWebhook(raw as string, given as WebhookHeaders, options));
        expect(error).to.be.instanceOf(BaseError);
      }),
      { numRuns: 500 },
    );
    const signature = fc.oneof(fc.string(), fc.stringMatching(/^[0-9a-f]{64}$/));
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), signature, async (raw, timestamp, hex) => {
        const given = { "x-signature-sha256": hex, "x-signature-timestamp": timestamp };
        expect(await rejectionOf(verifyWebhook(raw, given, options))).to.be.instanceOf(WebhookInvalidError);
      }),
      { numRuns: 500 },
    );
  });
});

describe("signWebhook", () => {
  // @spec webhook/signature-headers webhook/hmac
  it("writes the headers that the service writes", async () => {
    const own = await signWebhook(body, { secret, timestamp: now / 1_000 });
    const expected = headersOf(body);
    expect(own).to.deep.equal({
      "x-signature-sha256": expected["X-Signature-SHA256"],
      "x-signature-timestamp": expected["X-Signature-Timestamp"],
    });
    expect(
      await signWebhook(new TextEncoder().encode(body), { secret, timestamp: now / 1_000 }),
    ).to.deep.equal(own);
  });

  it("signs for the present time by default, and verifyWebhook accepts it", async () => {
    const signed = await signWebhook(body, { secret });
    expect((await verifyWebhook(body, signed, { secrets: [secret] })).event.data.requestId).to.equal(
      requestId,
    );
  });

  for (const [parameter, value] of [
    ["secret", ""],
    ["timestamp", -1],
    ["timestamp", 1.5],
    ["timestamp", Number.NaN],
    ["secret", 7],
  ] as const) {
    it(`rejects a ${parameter} of ${JSON.stringify(value)}`, async () => {
      const error = await rejectionOf(signWebhook(body, { secret, [parameter]: value }));
      expect(error).to.have.property("parameter", parameter);
    });
  }

  it("rejects a body that was parsed", async () => {
    expect(await rejectionOf(signWebhook({} as string, { secret }))).to.have.property("parameter", "body");
  });
});

describe("dedupeKey", () => {
  const event = JSON.parse(body);
  const changed = (data: Record<string, unknown>) =>
    dedupeKey({ ...event, data: { ...event.data, ...data } });

  it("is the same for every delivery of an event", async () => {
    expect(await dedupeKey({ ...event, timestamp: 1 })).to.equal(await dedupeKey(event));
    expect(await changed({ requestId: requestId.toUpperCase().replace("0X", "0x") })).to.equal(
      await dedupeKey(event),
    );
  });

  it("is the hash of request, status, time and transactions, as keys stored by earlier versions are", async () => {
    const parts = ["request.status.updated", requestId, "success", now, [], []];
    const key = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
    expect(await dedupeKey(event)).to.equal(key);
    expect(await changed({ inTxHashes: undefined, txHashes: undefined })).to.equal(key);
  });

  it("is another one for another request, status, time or transaction", async () => {
    const keys = await Promise.all([
      dedupeKey(event),
      changed({ requestId: `0x${"b8".repeat(32)}` }),
      changed({ status: "refund" }),
      changed({ updatedAt: now + 1 }),
      changed({ txHashes: ["0x01"] }),
      changed({ inTxHashes: ["0x01"] }),
      changed({ txHashes: ["0x01", "0x02"] }),
      changed({ txHashes: ["0x01,0x02"] }),
    ]);
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
