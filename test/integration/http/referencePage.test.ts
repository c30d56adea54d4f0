import { gunzipSync } from "node:zlib";
import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

describe("the page of the API reference", () => {
  const fixture = useEmulator();

  it("the document and the kit are compressed for clients that accept it; the page names the served files", async () => {
    const { emulator } = fixture;
    const files = ["start.js", "style.css", "swagger-ui-bundle.js", "swagger-ui.css"];
    for (const path of [
      "/openapi.json",
      "/console/app.js",
      "/docs/swagger-ui-bundle.js",
      "/docs/swagger-ui.css",
    ]) {
      const url = `${emulator.info.apiUrl}${path}`;
      const plain = await emulator.fetch(new Request(url));
      const gzip = await emulator.fetch(new Request(url, { headers: { "accept-encoding": "gzip" } }));
      expect(plain.headers.get("content-encoding"), path).to.equal(null);
      expect(gzip.headers.get("content-encoding"), path).to.equal("gzip");
      const text = gunzipSync(await gzip.arrayBuffer()).toString();
      expect(text === (await plain.text()) && text !== "", path).to.equal(true);
    }
    const page = await emulator.fetch(new Request(`${emulator.info.apiUrl}/docs`));
    for (const file of files)
      expect((await emulator.fetch(new Request(`${emulator.info.apiUrl}/docs/${file}`))).status).to.equal(
        200,
      );
    const linked = [...(await page.text()).matchAll(/(?:href|src)="\/docs\/([^"]+)"/g)].map(
      ([, file]) => file,
    );
    expect(linked).to.have.members(files);
    expect(page.headers.get("content-security-policy")).to.not.include("unsafe");
  });
});
