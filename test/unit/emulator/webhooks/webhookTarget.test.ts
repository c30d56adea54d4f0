import type { LookupAddress } from "node:dns";
import { expect } from "chai";
import { postWebhook } from "../../../../emulator/webhooks/postWebhook.ts";
import { assertCustomHeaders, assertTarget } from "../../../../emulator/webhooks/webhookTarget.ts";
import { failureOf } from "../../../helpers/failureOf.ts";
import { startReceiver } from "./support/receiver.ts";

const [loopback, remote] = [
  { address: "127.0.0.1", family: 4 },
  { address: "203.0.113.9", family: 4 },
];

const names: Readonly<Record<string, readonly LookupAddress[]>> = {
  "both.test": [loopback, remote],
  "here.test": [loopback, { address: "::1", family: 6 }],
  "inside.test": [{ address: "10.0.0.1", family: 4 }],
  "mapped.test": [{ address: "::ffff:203.0.113.9", family: 6 }],
  "public.test": [remote],
};

async function refusalOf(url: string, allowRemote = false): Promise<string> {
  const resolve = async (hostname: string) => names[hostname] ?? [];
  return String(await failureOf(assertTarget(url, { allowRemote, resolve })));
}

describe("assertTarget", () => {
  it("accepts loopback, by name and by every notation of its address", async () => {
    for (const host of [
      ...["127.0.0.1", "127.0.0.1:8080", "127.8.9.1", "[::1]", "here.test", "2130706433", "0x7f.1"],
      ...["0177.0.0.1", "127.1", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "HERE.test"],
    ]) {
      for (const scheme of ["http", "https"]) {
        expect(await refusalOf(`${scheme}://${host}/hook?a=b`), host).to.equal("undefined");
      }
    }
  });

  it("rejects every other address, in every notation, and a name with one of them", async () => {
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

  // @spec webhook/https
  it("accepts other addresses if remote targets are allowed, over https only", async () => {
    for (const host of ["203.0.113.9", "public.test", "both.test", "[2001:db8::1]"]) {
      expect(await refusalOf(`https://${host}/`, true), host).to.equal("undefined");
      expect(await refusalOf(`http://${host}/`, true), host).to.match(/must use https/);
    }
    expect(await refusalOf("http://here.test/", true)).to.equal("undefined");
  });

  it("rejects a malformed URL, another scheme, credentials and an unknown host, without the password", async () => {
    for (const [url, reason] of [
      ["", /is invalid/],
      ["127.0.0.1", /is invalid/],
      ["ftp://127.0.0.1/", /must be http or https/],
      ["file:///etc/hosts", /must be http or https/],
      ["javascript:1", /must be http or https/],
      ["http://user:hush@127.0.0.1/", /in a header/],
      ["http://nowhere.test/", /no address/],
    ] as const) {
      const refusal = await refusalOf(url);
      expect(refusal, url).to.match(reason);
      expect(refusal).to.not.include("hush");
    }
  });
});

describe("assertCustomHeaders", () => {
  const check = (headers: object) => () => assertCustomHeaders(headers as Record<string, string>);

  it("rejects headers of the signature, the connection and the body, in any letter case", () => {
    for (const name of [
      ...["X-Signature-SHA256", "x-signature-timestamp", "Host", "CONTENT-LENGTH", "content-type"],
      ...["Transfer-Encoding", "connection", "Proxy-Authorization", "expect", "upgrade"],
    ]) {
      expect(check({ [name]: "hush" }), name).to.throw(/is reserved/);
    }
  });

  it("rejects names and values that HTTP forbids, without repeating the value", () => {
    for (const headers of [
      { "x-a": "hush\r\nhost: evil" },
      { "x-a": "hush\nb" },
      { "x-a": "hush\u0000" },
      { "x a": "hush" },
      { "": "hush" },
      { "x-a:": "hush" },
      { "x-a": "hush\u{1f600}" },
    ]) {
      expect(check(headers), Object.keys(headers)[0]).to.throw(/^(?!.*hush).*invalid name or value/s);
    }
  });
});

describe("postWebhook", () => {
  it("a name that moves to another address after its first delivery: is rejected before the connection", async () => {
    const receiver = await startReceiver();
    const post = (address: string) =>
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
    expect((await post("127.0.0.1")).statusCode).to.equal(200);
    const { error, statusCode } = await post("203.0.113.9");
    expect(statusCode).to.equal(null);
    expect(error).to.match(/moving\.test is 203\.0\.113\.9/);
    expect((await post("0.0.0.0")).error).to.match(/not this machine/);
    expect(receiver.received).to.have.length(1);
    await receiver.stop();
  });
});
