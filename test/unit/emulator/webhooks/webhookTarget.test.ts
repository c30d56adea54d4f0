import type { LookupAddress } from "node:dns";
import { expect } from "chai";
import { postWebhook } from "../../../../emulator/webhooks/postWebhook.ts";
import {
  assertCustomHeaders,
  assertTarget,
  type TargetRules,
} from "../../../../emulator/webhooks/webhookTarget.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { startReceiver } from "./support/receiver.ts";

const names: Readonly<Record<string, readonly LookupAddress[]>> = {
  "both.test": [
    { address: "127.0.0.1", family: 4 },
    { address: "203.0.113.9", family: 4 },
  ],
  "here.test": [
    { address: "127.0.0.1", family: 4 },
    { address: "::1", family: 6 },
  ],
  "inside.test": [{ address: "10.0.0.1", family: 4 }],
  "mapped.test": [{ address: "::ffff:203.0.113.9", family: 6 }],
  "public.test": [{ address: "203.0.113.9", family: 4 }],
};

function rules(allowRemote = false): TargetRules {
  return { allowRemote, resolve: async (hostname) => names[hostname] ?? [] };
}

async function refusalOf(url: string, allowRemote = false): Promise<string> {
  return String(await failureOf(assertTarget(url, rules(allowRemote))));
}

describe("where webhooks may be posted to", () => {
  it("is this machine, by name and by number, however the number is written", async () => {
    for (const host of [
      ...["127.0.0.1", "127.0.0.1:8080", "127.8.9.1", "[::1]", "here.test", "2130706433", "0x7f.1"],
      ...["0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "HERE.test"],
    ]) {
      for (const scheme of ["http", "https"]) {
        expect(await refusalOf(`${scheme}://${host}/hook?a=b`), host).to.equal("undefined");
      }
    }
  });

  it("is nowhere else, whatever its address looks like", async () => {
    for (const host of [
      ...["203.0.113.9", "0.0.0.0", "0", "10.0.0.1", "192.168.1.1", "169.254.169.254", "3405803785"],
      ...["0xcb007109", "0313.0.161.11", "[::]", "[::ffff:203.0.113.9]", "[::ffff:cb00:7109]", "[fd00::1]"],
      ...["[2001:db8::1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "public.test", "both.test", "mapped.test"],
      "inside.test",
    ]) {
      for (const scheme of ["http", "https"]) {
        expect(await refusalOf(`${scheme}://${host}/`), host).to.match(/not this machine/);
      }
    }
  });

  it("is elsewhere when that is allowed, over https alone", async () => {
    for (const host of ["203.0.113.9", "public.test", "both.test", "[2001:db8::1]"]) {
      expect(await refusalOf(`https://${host}/`, true), host).to.equal("undefined");
      expect(await refusalOf(`http://${host}/`, true), host).to.match(/must use https/);
    }
    expect(await refusalOf("http://here.test/", true)).to.equal("undefined");
  });

  it("is a URL without secrets, of a host that there is", async () => {
    for (const [url, reason] of [
      ["", /is invalid/],
      ["127.0.0.1", /is invalid/],
      ["ftp://127.0.0.1/", /must be http or https/],
      ["file:///etc/hosts", /must be http or https/],
      ["javascript:1", /must be http or https/],
      ["http://user:hush@127.0.0.1/", /in a header/],
      [`http://127.0.0.1/${"x".repeat(2_000)}`, /longer/],
      ["http://nowhere.test/", /no address/],
    ] as const) {
      const refusal = await refusalOf(url);
      expect(refusal, url).to.match(reason);
      expect(refusal).to.not.include("hush");
    }
  });

  it("is looked at again when the connection is made: a name that moved is not followed", async () => {
    const receiver = await startReceiver();
    let address = "127.0.0.1";
    const post = () =>
      postWebhook(
        `http://moving.test:${receiver.port}/hook`,
        { body: "{}", headers: {} },
        {
          allowRemote: false,
          resolve: async () => [{ address, family: 4 }],
          signal: new AbortController().signal,
          timeoutMs: 5_000,
        },
      );
    expect((await post()).statusCode).to.equal(200);
    address = "203.0.113.9";
    const { error, statusCode } = await post();
    expect(statusCode).to.equal(null);
    expect(error).to.match(/moving\.test is 203\.0\.113\.9/);
    address = "0.0.0.0";
    expect((await post()).error).to.match(/not this machine/);
    expect(receiver.received).to.have.length(1);
    await receiver.stop();
  });
});

describe("custom headers of webhooks", () => {
  const refusal = (headers: Record<string, string>) => {
    try {
      assertCustomHeaders(headers);
      return undefined;
    } catch (error) {
      return String(error);
    }
  };

  it("may be anything that can be sent", () => {
    expect(refusal({ Authorization: "Bearer a.b-c", "User-Agent": "shop", "x-empty": "" })).to.equal(
      undefined,
    );
  });

  it("may not be those that make the request what it is", () => {
    for (const name of [
      ...["X-Signature-SHA256", "x-signature-timestamp", "Host", "CONTENT-LENGTH", "content-type"],
      ...["Transfer-Encoding", "connection", "Proxy-Authorization", "expect", "upgrade"],
    ]) {
      expect(refusal({ [name]: "hush" }), name).to.match(/is reserved/);
    }
  });

  it("may not break out of their line, be there twice or be too many, and are not repeated", () => {
    for (const headers of [
      { "x-a": "hush\r\nhost: evil" },
      { "x-a": "hush\nb" },
      { "x-a": "hush\u0000" },
      { "x a": "hush" },
      { "": "hush" },
      { "x-a:": "hush" },
      { "x-a": "hush\u{1f600}" },
      { "x-a": "hush".repeat(2_000) },
    ]) {
      const reason = refusal(headers as Record<string, string>);
      expect(reason, Object.keys(headers)[0]).to.match(/invalid name or value/);
      expect(reason).to.not.include("hush");
    }
    expect(refusal({ "X-A": "1", "x-a": "2" })).to.match(/twice/);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, ""]));
    expect(refusal(many)).to.match(/more than 50/);
  });
});
