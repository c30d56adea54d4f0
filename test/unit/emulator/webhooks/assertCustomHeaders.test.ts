import { expect } from "chai";
import { assertCustomHeaders } from "../../../../emulator/webhooks/webhookTarget.ts";

describe("assertCustomHeaders", () => {
  const check = (headers: object) => () => assertCustomHeaders(headers as Record<string, string>);

  it("accepts valid names and values, an empty value included", () => {
    check({ Authorization: "Bearer a.b-c", "User-Agent": "shop", "x-empty": "" })();
  });

  it("rejects headers of the signature, the connection and the body, in any letter case", () => {
    for (const name of [
      ...["X-Signature-SHA256", "x-signature-timestamp", "Host", "CONTENT-LENGTH", "content-type"],
      ...["Transfer-Encoding", "connection", "Proxy-Authorization", "expect", "upgrade"],
    ]) {
      expect(check({ [name]: "hush" }), name).to.throw(/is reserved/);
    }
  });

  it("rejects names and values that HTTP forbids or that are too long, without repeating the value", () => {
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
      expect(check(headers), Object.keys(headers)[0]).to.throw(/^(?!.*hush).*invalid name or value/s);
    }
  });

  it("rejects a name given twice in different letter case, and more than 50 headers", () => {
    expect(check({ "X-A": "1", "x-a": "2" })).to.throw(/twice/);
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`x-${index}`, ""]));
    expect(check(many)).to.throw(/more than 50/);
  });
});
