import { request } from "node:http";
import { expect } from "chai";
import { type LogEntry, startEmulator } from "../../../emulator/index.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

describe("the emulator's keys", () => {
  const fixture = useEmulator();

  async function get(path: string, headers: Record<string, string> = {}) {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}${path}`, { headers });
    const text = await answer.text();
    return { answer, body: JSON.parse(text) as Record<string, unknown>, status: answer.status, text };
  }

  function apiKey(): string {
    const [first] = fixture.emulator.info.apiKeys;
    if (first === undefined) throw new Error("there is no API key");
    return first.key;
  }

  /** Wrong keys that a careless comparison might accept. */
  function wrongVersionsOf(key: string): string[] {
    return ["", "nonsense", key.slice(1), `${key}0`, key.toUpperCase(), `${key}, ${key}`, `0x${key}`];
  }

  describe("API keys", () => {
    // @spec auth/header auth/requests-v3
    it("rejects an unknown API key, on every path, without repeating it", async () => {
      for (const wrong of wrongVersionsOf(apiKey())) {
        for (const path of ["/chains", "/intents/status/v3?requestId=0x", "/console", "/nothing"]) {
          const { body, status, text } = await get(path, { "x-api-key": wrong });
          expect(status, `${path} with ${wrong}`).to.equal(401);
          expect(body).to.have.keys("message", "errorCode");
          expect(body.errorCode).to.equal("UNAUTHORIZED");
          if (wrong !== "") expect(text).to.not.include(wrong);
        }
      }
    });

    // @spec auth/header
    it("accepts its own API key, and requests without one", async () => {
      expect((await get("/chains", { "x-api-key": apiKey() })).status).to.equal(200);
      expect((await get("/chains")).status).to.equal(200);
    });
  });

  describe("a default key", () => {
    const fixture = useEmulator({ defaultKey: true });
    const ask = (path: string, headers: Record<string, string> = {}) =>
      fetch(`${fixture.emulator.info.apiUrl}${path}`, { body: "{}", headers, method: "POST" });

    it("a request without a key counts as the first key's; an unknown key does not", async () => {
      // The body is invalid: the check of the key comes first.
      expect((await ask("/fast-fill")).status).to.equal(400);
      expect((await ask("/fast-fill", { "x-api-key": "unknown" })).status).to.equal(401);
    });

    it("opens no admin route", async () => {
      const { status } = await fetch(`${fixture.emulator.info.apiUrl}/admin/keys`);
      expect(status).to.equal(401);
    });

    for (const [name, host, wanted] of [
      ["a page whose own name leads to loopback: is refused before it", "evil.example", 403],
      ["a page whose name begins like a loopback address: is refused before it", "127.evil.example", 403],
      ["a container that names its host: needs a key", "host.docker.internal", 401],
      ["a request by way of another machine's address: needs a key", "192.0.2.1:4000", 401],
      ["localhost: counts as the first key's", "localhost:4000", 400],
      ["::1: counts as the first key's", "[::1]:4000", 400],
    ] as const) {
      it(name, async () => {
        const { apiUrl } = fixture.emulator.info;
        const status = await new Promise((resolve, reject) => {
          const asking = request(`${apiUrl}/fast-fill`, { headers: { host }, method: "POST" });
          asking.once("response", (answer) => resolve(answer.resume().statusCode));
          asking.once("error", reject);
          asking.end("{}");
        });
        expect(status).to.equal(wanted);
      });
    }

    it("a page that cors excludes: spends nothing, by a form's POST either, which no preflight precedes", async () => {
      for (const cors of [false, ["http://localhost:3000"]]) {
        const emulator = await startEmulator({ chainPorts: [0, 0], cors, defaultKey: true, port: 0 });
        const ask = async (origin: string) => {
          const headers = { "content-type": "text/plain", origin };
          const url = `${emulator.info.apiUrl}/fast-fill`;
          return (await fetch(url, { body: "{}", headers, method: "POST" })).status;
        };
        const statuses = [];
        for (const origin of ["http://evil.example", "null", "http://localhost:3000", emulator.info.apiUrl])
          statuses.push(await ask(origin));
        await emulator.stop();
        // 400: the key is accepted, and the body is not.
        expect(statuses).to.deep.equal([403, 403, cors === false ? 403 : 400, 400]);
      }
    });

    it("no key left after the last one is revoked: refuses again", async () => {
      const emulator = await startEmulator({ chainPorts: [0, 0], defaultKey: true, port: 0 });
      for (const { id } of emulator.info.apiKeys) await emulator.control.keys.revoke(id);
      const { status } = await fetch(`${emulator.info.apiUrl}/fast-fill`, { body: "{}", method: "POST" });
      await emulator.stop();
      expect(status).to.equal(401);
    });

    it("an address that other machines reach: does not start", async () => {
      const start = startEmulator({ defaultKey: true, hostname: "0.0.0.0", port: 0 });
      const error = await start.catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(InvalidParameterError).and.include({ parameter: "defaultKey" });
    });
  });

  it("keys never reach the log, not even after an error", async () => {
    const log: LogEntry[] = [];
    let isBroken = false;
    const emulator = await startEmulator({
      chainPorts: [0, 0],
      log: (entry) => log.push(entry),
      now: () => {
        if (isBroken) throw new Error("the clock stands still");
        return Date.now();
      },
      port: 0,
    });
    const { adminKey, apiKeys, apiUrl } = emulator.info;
    const [key = { key: "" }] = apiKeys;
    isBroken = true;
    const answer = await fetch(`${apiUrl}/admin/clock?key=${key.key}`, {
      headers: { "x-admin-key": adminKey, "x-api-key": key.key },
    });
    isBroken = false;
    const text = await answer.text();
    await emulator.stop();
    expect(answer.status).to.equal(500);
    const logged = log.map(({ cause, message }) => `${message} ${String(cause)}`).join("\n");
    expect(logged).to.include("/admin/clock failed").and.include("the clock stands still");
    for (const secret of [adminKey, key.key]) {
      expect(logged).to.not.include(secret);
      expect(text).to.not.include(secret);
    }
  });

  describe("the admin key", () => {
    const unknown = `/admin/requests/0x${"00".repeat(32)}/events`;

    it("rejects requests without the admin key, or with another one, on every path", async () => {
      const { adminKey } = fixture.emulator.info;
      for (const path of [unknown, "/admin", "/admin/", "/admin/nothing"]) {
        expect((await get(path)).status, path).to.equal(401);
        for (const wrong of [...wrongVersionsOf(adminKey), apiKey()]) {
          const { body, status, text } = await get(path, { "x-admin-key": wrong });
          expect([status, body.errorCode], path).to.deep.equal([401, "UNAUTHORIZED"]);
          expect(text).to.not.include(adminKey);
        }
      }
    });
  });
});
