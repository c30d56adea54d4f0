import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent } from "../../helpers/quotes/bridgeIntent.ts";

describe("what an emulator says of a call", () => {
  const lines: string[] = [];
  const fixture = useEmulator({ log: ({ message }) => lines.push(message) });
  beforeEach(() => {
    lines.length = 0;
  });
  const send = (path: string, body?: object, headers: Record<string, string> = {}) =>
    fetch(`${fixture.emulator.info.apiUrl}${path}`, {
      headers: { "content-type": "application/json", ...headers },
      ...(body && {
        body: JSON.stringify(body, (_, value) => (typeof value === "bigint" ? `${value}` : value)),
        method: "POST",
      }),
    });
  const asAdmin = () => ({ "x-admin-key": fixture.emulator.info.adminKey });

  it("a misspelt field of a quote: the quote is as without it, and header and log name the field", async () => {
    const answer = await send("/quote/v2", { ...bridgeIntent(fixture), slipageTolerance: "50" });
    expect(answer.status).to.equal(200);
    const sentence = "`slipageTolerance` is unknown; did you mean `slippageTolerance`?";
    expect(answer.headers.get("x-waybill-unknown")).to.equal(sentence);
    expect(lines).to.deep.equal([`POST /quote/v2: ${sentence}`]);
    expect(await answer.json()).to.have.property("steps");
  });

  it("misspelt fields of calls and app fees: are named by their place", async () => {
    const to = fixture.beta.wallet(1).account.address;
    const appFees = [{ fee: "10", recipient: to, recipent: to }];
    const txs = [{ data: "0x", to, valu: "1" }];
    const answer = await send("/quote/v2", { ...bridgeIntent(fixture), appFees, txs });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get("x-waybill-unknown")).to.equal(
      "`appFees.*.recipent` is unknown; did you mean `recipient`? `txs.*.valu` is unknown; did you mean `value`?",
    );
  });

  it("a misspelt filter of a listing: header and log name it", async () => {
    const answer = await send("/requests/v3?recipent=0x00000000000000000000000000000000000b0bb0", undefined, {
      "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "",
    });
    const sentence = "`recipent` is unknown; did you mean `recipient`?";
    expect([answer.status, answer.headers.get("x-waybill-unknown")]).to.deep.equal([200, sentence]);
    expect(lines).to.deep.equal([`GET /requests/v3: ${sentence}`]);
  });

  it("a call whose names are all known: has no such header and no line", async () => {
    const answer = await send("/quote/v2", bridgeIntent(fixture));
    expect(answer.headers.has("x-waybill-unknown")).to.equal(false);
    expect(lines).to.deep.equal([]);
  });

  for (const [name, path, body, meant] of [
    ["fault", "/admin/faults", { failReson: "SLIPPAGE", kind: "fill-fails" }, "failReason"],
    ["fault's kind", "/admin/faults", { delayMs: 1, knd: "fill-slow" }, "kind"],
    ["clock", "/admin/clock", { advanse: 5 }, "advance"],
    ["configuration", "/admin/config", { lenent: true }, "lenient"],
  ] as const) {
    it(`a misspelt field of the ${name}: is refused with the field's name alone`, async () => {
      const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, {
        body: JSON.stringify(body),
        headers: { "content-type": "application/json", ...asAdmin() },
        method: name === "configuration" ? "PATCH" : "POST",
      });
      const { message } = (await answer.json()) as { message: string };
      expect(answer.status, message).to.equal(400);
      expect(message).to.include(`did you mean \`${meant}\`?`).and.not.include("expected");
    });
  }

  it("a field of another kind of fault: is refused as unknown to this kind", async () => {
    const answer = await send(
      "/admin/faults",
      { delayMs: 1, failReason: "SLIPPAGE", kind: "fill-slow" },
      asAdmin(),
    );
    expect(answer.status).to.equal(400);
    expect(((await answer.json()) as { message: string }).message).to.equal(
      "Invalid request: `failReason` is unknown",
    );
  });

  it("a refused call whose answer has no code, or names it otherwise: is one line too", async () => {
    await send("/transactions/index", { chainId: 5, txHash: "0x" });
    await send("/requests/nothing/signature");
    await send("/execute", {}, { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" });
    await fixture.emulator.control.faults.add({ kind: "route-limited", path: "/chains" });
    await send("/chains");
    expect(lines.map((line) => line.replace(/(INVALID_REQUEST: ).*/, "$1"))).to.deep.equal([
      "POST /transactions/index 400: Chain 5 is not supported",
      "GET /requests/nothing/signature 400 REQUEST_NOT_FOUND: Request not found",
      "POST /execute 400 INVALID_REQUEST: ",
      "GET /chains 429: Too many requests",
    ]);
  });

  it("a refused call: is one line with its code and reason, and no secret", async () => {
    const key = `${fixture.emulator.info.apiKeys[0]?.key}0`;
    await send("/quote/v2", { ...bridgeIntent(fixture), amount: "0" }, { "x-api-key": key });
    await send("/quote/v2", { ...bridgeIntent(fixture), amount: "0" });
    await send("/nothing?apiKey=secret");
    expect(lines).to.have.length(3);
    expect(lines[0]).to.equal("POST /quote/v2 401 UNAUTHORIZED: Unknown API key");
    expect(lines[1]).to.match(/^POST \/quote\/v2 400 AMOUNT_TOO_LOW: ./);
    expect(lines[2]).to.equal("GET /nothing 404 NOT_FOUND: There is nothing here");
  });

  it("GET /: leads a browser to console and reference, and gives programs their paths", async () => {
    const page = await send("/", undefined, { accept: "text/html,*/*" });
    const text = await page.text();
    const doors = (await (await send("/")).json()) as Record<string, string>;
    expect(doors).to.deep.equal({ console: "/console", openapi: "/openapi.json", reference: "/docs" });
    for (const path of [doors.console, doors.reference]) {
      expect(text).to.include(`href="${path}"`);
      expect((await send(path ?? "")).status).to.equal(200);
    }
  });
});
