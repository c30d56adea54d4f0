import { expect } from "chai";
import { joinUrl } from "../../../src/internal/joinUrl.ts";

describe("joinUrl", () => {
  it("refuses a path that could be a host", () => {
    for (const path of ["", "chains", "//evil.test", "/\\evil.test", "https://evil.test/", "\\evil.test"]) {
      expect(() => joinUrl("http://host.test", path), path).to.throw("`path` is invalid");
    }
  });

  it("refuses a path that would leave the prefix of the base, however its dots are written", () => {
    for (const path of [
      "/..",
      "/../x",
      "/a/../../x",
      "/a/.",
      "/%2e%2E/x",
      "/.%2e",
      "/a\\..\\x",
      "/.\t./x",
      "/..?a",
      "/..#a",
    ]) {
      expect(() => joinUrl("http://host.test/api", path), path).to.throw("`path` is invalid");
    }
    for (const path of ["/...", "/a..b", "/.well-known", "/a?b=/../c", "/a#/../c"]) {
      expect(new URL(joinUrl("http://host.test/api", path)).pathname, path).to.match(/^\/api\//);
    }
  });

  it("keeps the host whatever the path holds", () => {
    for (const path of ["/@evil.test", "/x?y=//evil.test", "/:80@evil.test", "/%2f%2fevil.test"]) {
      expect(new URL(joinUrl("http://host.test/api", path)).host, path).to.equal("host.test");
    }
  });

  it("keeps a prefix and a query, and encodes values", () => {
    expect(joinUrl("http://host.test/api/", "/a?b=1", { c: "x y&z", d: undefined, e: 2, f: false })).to.equal(
      "http://host.test/api/a?b=1&c=x+y%26z&e=2&f=false",
    );
  });
});
