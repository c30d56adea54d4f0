import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openService, type ServiceOptions } from "../../../../cli/settings/openService.ts";
import { CommandError } from "../../../../cli/terminal/CommandError.ts";
import { getChains } from "../../../../src/client/index.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

const variables = ["WAYBILL_URL", "WAYBILL_API_KEY", "WAYBILL_ADMIN_KEY"] as const;

describe("openService", () => {
  let folder: string;
  let config: string;
  let emulator: string;
  const before = new Map<string, string | undefined>();
  beforeEach(() => {
    for (const name of variables) {
      before.set(name, process.env[name]);
      delete process.env[name];
    }
    folder = mkdtempSync(join(tmpdir(), "waybill-service-"));
    config = join(folder, "waybill.config.mjs");
    emulator = join(folder, "emulator.json");
    writeFileSync(join(folder, "api.key"), "of-the-config");
    const fields = { adminKey: { file: "api.key" }, apiKey: { file: "api.key" }, url: "http://config.test" };
    writeFileSync(config, `export default ${JSON.stringify(fields)};`);
    const apiKeys = [{ id: "1", key: "of-the-emulator", name: "first" }];
    const chains = [{ id: 31337, rpcUrl: "http://127.0.0.1:8545" }];
    const info = {
      adminKey: "admin",
      apiKeys,
      apiUrl: "http://emulator.test",
      chains,
      solver: "0x01",
      wsUrl: "ws://w",
    };
    writeFileSync(emulator, JSON.stringify(info));
  });
  afterEach(() => {
    rmSync(folder, { force: true, recursive: true });
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  });

  const open = (options: ServiceOptions) => openService({ config, ...options });

  /** API key that the client sends. */
  async function sentKey(options: ServiceOptions): Promise<string | null> {
    const { fetch } = globalThis;
    let key: string | null = null;
    globalThis.fetch = async (_, init) => {
      key = new Headers(init?.headers).get("x-api-key");
      return Response.json({ chains: [] });
    };
    try {
      await getChains((await open(options)).client);
    } finally {
      globalThis.fetch = fetch;
    }
    return key;
  }

  it("flags, then the variable, then the configuration: the first one names the service", async () => {
    expect((await open({})).url).to.equal("http://config.test");
    process.env["WAYBILL_URL"] = "http://variable.test";
    expect((await open({})).url).to.equal("http://variable.test");
    expect((await open({ emulator })).url).to.equal("http://emulator.test");
    expect((await open({ url: "http://flag.test" })).url).to.equal("http://flag.test");
  });

  it("a file of --out: gives URL, stream, keys, solver and nodes", async () => {
    const service = await open({ emulator });
    expect(service).to.include({ solver: "0x01", url: "http://emulator.test", wsUrl: "ws://w" });
    expect(service.adminKey()).to.equal("admin");
    expect([...service.rpcUrls]).to.deep.equal([[31337, "http://127.0.0.1:8545"]]);
  });

  it("a service of a flag or a variable: gets no key of the configuration", async () => {
    expect(await sentKey({})).to.equal("of-the-config");
    expect(await sentKey({ emulator })).to.equal("of-the-emulator");
    expect(await sentKey({ url: "http://flag.test" })).to.equal(null);
    const named = await open({ url: "http://flag.test" });
    expect(() => named.adminKey())
      .to.throw(CommandError, "admin key")
      .with.property("exitCode", 4);
    process.env["WAYBILL_URL"] = "http://variable.test";
    expect(await sentKey({})).to.equal(null);
    const other = await open({});
    expect(() => other.adminKey()).to.throw(CommandError, "admin key");
    process.env["WAYBILL_ADMIN_KEY"] = "of-the-variable";
    expect((await open({})).adminKey()).to.equal("of-the-variable");
  });

  it("a file that is none of --out: is refused by its name", async () => {
    for (const text of ["{", "null", "{}", '{ "apiUrl": 4 }']) {
      writeFileSync(emulator, text);
      const error = await failureOf(open({ emulator }));
      expect(error, text).to.be.instanceOf(CommandError).with.property("exitCode", 2);
      expect((error as CommandError).shortMessage).to.include(emulator);
    }
  });
});
