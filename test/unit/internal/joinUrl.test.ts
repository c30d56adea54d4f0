import { expect } from "chai";
import { joinUrl } from "../../../src/internal/joinUrl.ts";

describe("joinUrl", () => {
  it("refuses a path that could be a host", () => {
    for (const path of ["", "chains", "//evil.test", "/\\evil.test", "https://evil.test/", "\\evil.test"]) {
      expect(() => joinUrl("http://host.test", path), path).to.throw("`path` is invalid");
    }
  });

  it("keeps the host whatever the path holds", () => {
    for (const path of [
      "/@evil.test",
      "/../../x",
      "/x?y=//evil.test",
      "/:80@evil.test",
      "/%2f%2fevil.test",
    ]) {
      expect(new URL(joinUrl("http://host.test/api", path)).host, path).to.equal("host.test");
    }
  });

  it("keeps a prefix and a query, and encodes values", () => {
    expect(joinUrl("http://host.test/api/", "/a?b=1", { c: "x y&z", d: undefined, e: 2, f: false })).to.equal(
      "http://host.test/api/a?b=1&c=x+y%26z&e=2&f=false",
    );
  });
});
