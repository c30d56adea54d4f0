import { expect } from "chai";
import { openService } from "../../../cli/settings/openService.ts";
import { createClient, createKeyProxy, waitForRequest, websocketStream } from "../../../src/client/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { requestId } from "../client/support/samples.ts";

const apiKey = "sk-live-3f1c9d";
const remote = [
  "http://api.relay.link",
  "http://10.0.0.7:4000",
  "http://0.0.0.0:4000",
  "http://127.0.0.1.evil.test",
  "http://localhost.evil.test",
  "http://[2001:db8::1]",
];
const own = [
  "http://127.0.0.1:4000",
  "http://127.9.9.9",
  "http://2130706433",
  "http://LOCALHOST:1/v",
  "http://app.localhost",
  "http://[::1]:4000",
  "http://host.docker.internal:4000",
  "https://api.relay.link",
];

/** Expects a refusal that names the parameter, without the key. */
function expectRefused(error: unknown, parameter: string): void {
  expect(error).to.be.instanceOf(InvalidParameterError);
  const { message, parameter: named } = error as InvalidParameterError;
  expect(named).to.equal(parameter);
  expect(message).to.include("in plain text").and.not.include(apiKey);
}

describe("a key over plain http", () => {
  const fetch = () => Promise.reject(new Error("something was sent"));

  for (const baseUrl of remote) {
    it(`P11: createClient and createKeyProxy refuse a key for ${baseUrl}, and send nothing`, () => {
      for (const make of [createClient, createKeyProxy]) {
        try {
          make({ apiKey, baseUrl, fetch });
          expect.fail("was made");
        } catch (error) {
          expectRefused(error, "baseUrl");
        }
      }
      expect(createClient({ baseUrl, fetch }).baseUrl).to.equal(baseUrl);
    });
  }

  it("P11: https and this machine need no refusal, in any spelling", () => {
    for (const baseUrl of own) expect(createClient({ apiKey, baseUrl }).apiKey, baseUrl).to.equal(apiKey);
  });

  it("P11: a stream refuses a key for ws to another machine, and opens no socket", async () => {
    const client = createClient({ baseUrl: "https://service.test", fetch });
    class WebSocket {
      constructor() {
        throw new Error("a socket was opened");
      }
    }
    const stream = websocketStream({ apiKey, url: "ws://stream.test", WebSocket: WebSocket as never });
    const error = await waitForRequest(client, { requestId, stream }).catch((reason: unknown) => reason);
    expectRefused(error, "url");
  });

  it("P11: the command refuses an API key, and an admin key at its first use", async () => {
    const { WAYBILL_ADMIN_KEY, WAYBILL_API_KEY } = process.env;
    try {
      process.env["WAYBILL_API_KEY"] = apiKey;
      const open = () => openService({ url: "http://10.0.0.7:4000" });
      expectRefused(await open().catch((reason: unknown) => reason), "baseUrl");
      delete process.env["WAYBILL_API_KEY"];
      process.env["WAYBILL_ADMIN_KEY"] = apiKey;
      const service = await open();
      try {
        service.adminKey();
        expect.fail("the key was given");
      } catch (error) {
        expectRefused(error, "url");
      }
    } finally {
      for (const [name, value] of Object.entries({ WAYBILL_ADMIN_KEY, WAYBILL_API_KEY })) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });
});
