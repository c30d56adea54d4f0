import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { openService, type ServiceOptions } from "../../../../cli/settings/openService.ts";
import { CommandError } from "../../../../cli/terminal/CommandError.ts";
import { getChains } from "../../../../src/client/index.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

const variables = ["WAYBILL_URL", "WAYBILL_API_KEY", "WAYBILL_ADMIN_KEY", "WAYBILL_PRIVATE_KEY"] as const;
/** The first and the second account of the public test mnemonic. */
const accounts = [
  {
    address: "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    privateKey: "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80",
  },
  {
    address: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    privateKey: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  },
] as const;

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
    writeFileSync(join(folder, "private.key"), `${accounts[1].privateKey.slice(2)}\n`);
    const fields = {
      adminKey: { file: "api.key" },
      apiKey: { file: "api.key" },
      privateKey: { file: "private.key" },
      url: "https://config.test",
    };
    writeFileSync(config, `export default ${JSON.stringify(fields)};`);
    const apiKeys = [{ id: "1", key: "of-the-emulator", name: "first" }];
    const chains = [{ accounts, id: 31337, rpcUrl: "http://127.0.0.1:8545" }];
    const info = {
      adminKey: "admin",
      apiKeys,
      apiUrl: "https://emulator.test",
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
    expect((await open({})).url).to.equal("https://config.test");
    process.env["WAYBILL_URL"] = "https://variable.test";
    expect((await open({})).url).to.equal("https://variable.test");
    expect((await open({ emulator })).url).to.equal("https://emulator.test");
    expect((await open({ url: "https://flag.test" })).url).to.equal("https://flag.test");
  });

  it("a file of --out: gives URL, stream, keys, solver and nodes", async () => {
    const service = await open({ emulator });
    expect(service).to.include({ solver: "0x01", url: "https://emulator.test", wsUrl: "ws://w" });
    expect(service.adminKey()).to.equal("admin");
    expect([...service.rpcUrls]).to.deep.equal([[31337, "http://127.0.0.1:8545"]]);
  });

  it("a service of a flag or a variable: gets no key of the configuration", async () => {
    expect(await sentKey({})).to.equal("of-the-config");
    expect(await sentKey({ emulator })).to.equal("of-the-emulator");
    expect(await sentKey({ url: "https://flag.test" })).to.equal(null);
    const named = await open({ url: "https://flag.test" });
    expect(() => named.adminKey())
      .to.throw(CommandError, "admin key")
      .with.property("exitCode", 4);
    process.env["WAYBILL_URL"] = "https://variable.test";
    expect(await sentKey({})).to.equal(null);
    const other = await open({});
    expect(() => other.adminKey()).to.throw(CommandError, "admin key");
    process.env["WAYBILL_ADMIN_KEY"] = "of-the-variable";
    expect((await open({})).adminKey()).to.equal("of-the-variable");
  });

  it("a private key: comes from the variable, the configuration or the emulator's accounts, and pays at no other service", async () => {
    expect((await open({})).privateKey()).to.equal(accounts[1].privateKey);
    const local = await open({ emulator });
    expect(local.privateKey()).to.equal(accounts[0].privateKey);
    expect(local.privateKey(accounts[1].address)).to.equal(accounts[1].privateKey);
    expect(() => local.privateKey(`0x${"01".repeat(20)}`)).to.throw(CommandError, "private key");
    const named = await open({ url: "https://flag.test" });
    expect(() => named.privateKey())
      .to.throw(CommandError, "WAYBILL_PRIVATE_KEY")
      .with.property("exitCode", 4);
    process.env["WAYBILL_PRIVATE_KEY"] = accounts[0].privateKey;
    expect(named.privateKey()).to.equal(accounts[0].privateKey);
    expect((await open({})).privateKey()).to.equal(accounts[0].privateKey);
  });

  for (const wrong of [
    "ab".repeat(31),
    "0".repeat(64),
    "f".repeat(64),
    `0x${"zz".repeat(32)}`,
    "test junk",
  ]) {
    it(`a private key of another form (${wrong.slice(0, 6)}…): is refused in one line without the key`, async () => {
      process.env["WAYBILL_PRIVATE_KEY"] = wrong;
      const service = await open({});
      expect(() => service.privateKey())
        .to.throw(CommandError, "64 hexadecimal digits")
        .with.property("exitCode", 2);
      expect(() => service.privateKey())
        .to.throw()
        .with.property("message")
        .that.does.not.include(wrong);
    });
  }

  it("a file that is none of --out: is refused by its name", async () => {
    for (const text of ["{", "null", "{}", '{ "apiUrl": 4 }']) {
      writeFileSync(emulator, text);
      const error = await failureOf(open({ emulator }));
      expect(error, text).to.be.instanceOf(CommandError).with.property("exitCode", 2);
      expect((error as CommandError).shortMessage).to.include(emulator);
    }
  });
});
