import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { runInside } from "../../helpers/processes/runInside.ts";

describe("the console", () => {
  const fixture = useEmulator();

  async function load(path = "") {
    const answer = await fetch(`${fixture.emulator.info.consoleUrl}${path}`);
    return { answer, text: await answer.text() };
  }

  it("the console answers GET only", async () => {
    const answer = await fetch(fixture.emulator.info.consoleUrl, { method: "POST" });
    expect(answer.status).to.equal(404);
  });

  for (const [path, type] of [
    ["", "text/html"],
    ["/app.js", "text/javascript"],
    ["/app.css", "text/css"],
  ] as const) {
    it(`the console's file ${type}: its headers forbid inline code and every other origin`, async () => {
      const { answer } = await load(path);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get("content-type")?.toLowerCase()).to.equal(`${type}; charset=utf-8`);
      expect(answer.headers.get("x-content-type-options")).to.equal("nosniff");
      expect(answer.headers.get("referrer-policy")).to.equal("no-referrer");
      const policy = answer.headers.get("content-security-policy") ?? "";
      expect(policy).to.include("default-src 'none'").and.include("frame-ancestors 'none'");
      expect(policy).to.not.match(/unsafe|https?:|\*/);
    });
  }

  it("the console's page has no inline script or style, and loads from its own origin alone", async () => {
    const { text } = await load();
    expect(text).to.not.match(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=|<iframe|<img/i);
    for (const [, target] of text.matchAll(/(?:href|src)="([^"]*)"/g))
      expect(target).to.match(/^(data:,|\/)/);
  });

  it("waybill console: prints the address with the admin key in its fragment, and asks for a missing key", async () => {
    const { adminKey, apiUrl, consoleUrl } = fixture.emulator.info;
    const found = await runInside(["console", "--url", apiUrl], { WAYBILL_ADMIN_KEY: adminKey });
    expect([found.code, found.out.trim()]).to.deep.equal([0, `${consoleUrl}#key=${adminKey}`]);
    const missing = await runInside(["console", "--url", apiUrl]);
    expect(missing.code).to.equal(4);
    expect(missing.err).to.include("WAYBILL_ADMIN_KEY");
  });
});
