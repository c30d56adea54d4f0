import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { readConfig } from "../../../../cli/settings/readConfig.ts";
import { readSecret } from "../../../../cli/settings/readFiles.ts";
import { CommandError } from "../../../../cli/terminal/CommandError.ts";
import { failureOf } from "../../../helpers/failureOf.ts";

describe("readConfig", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-config-"));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);

  it("a file in TypeScript in a folder above: is read, and paths are relative to it", async () => {
    write("waybill.config.mts", 'const url: string = "http://127.0.0.1:9";\nexport default { url };\n');
    mkdirSync(join(folder, "a", "b"), { recursive: true });
    expect(await readConfig(undefined, join(folder, "a", "b"))).to.deep.equal({
      config: { url: "http://127.0.0.1:9" },
      folder,
    });
  });

  it("no file: an empty configuration", async () => {
    expect((await readConfig(undefined, folder)).config).to.deep.equal({});
  });

  it("a named file that is missing: is refused by its name", async () => {
    const error = await failureOf(readConfig("none.ts", folder));
    expect(error).to.be.instanceOf(CommandError).with.property("exitCode", 2);
    expect(error).to.have.property("shortMessage", "There is no configuration file none.ts.");
  });

  const wrong: readonly (readonly [name: string, text: string, said: string])[] = [
    ["a syntax error", "export default {", "does not load"],
    ["no default export", "export const url = 1;", "the default export is invalid"],
    ["an unknown field", 'export default { urll: "http://127.0.0.1:9" };', 'Unrecognized key: "urll"'],
    ["a URL of another scheme", 'export default { url: "ftp://127.0.0.1" };', "`url` is invalid: not a URL"],
    [
      "a solver that is no address",
      'export default { solver: "0x12" };',
      "`solver` is invalid: not an address",
    ],
    [
      "a key in place of its source",
      'export default { apiKey: "topsecret" };',
      "`apiKey` is invalid: a key is",
    ],
    [
      "both url and emulator",
      'export default { emulator: "e.json", url: "http://127.0.0.1:9" };',
      "exclude each other",
    ],
    [
      "a trusted chain without routers",
      'export default { trust: { chains: [{ chainId: 1, name: "a" }], solvers: [] } };',
      "`trust.chains.0.routers` is invalid",
    ],
    ["a chain without a node", "export default { chains: { 1: {} } };", "`chains.1.rpcUrl` is invalid"],
  ];
  for (const [name, text, said] of wrong) {
    it(`${name}: is refused in one line, without the value`, async () => {
      write("waybill.config.mts", text);
      const error = await failureOf(readConfig(undefined, folder));
      expect(error).to.be.instanceOf(CommandError).with.property("exitCode", 2);
      const { shortMessage } = error as CommandError;
      expect(shortMessage)
        .to.include(said)
        .and.include("waybill.config.mts")
        .and.not.match(/\n|topsecret/);
    });
  }

  it("a secret's file: is read relative to the folder, without white space", () => {
    write("key", " 0x12\n");
    expect(readSecret({ file: "key" }, folder, "API key")).to.equal("0x12");
  });

  it("a secret that is missing or empty: the error names its source", () => {
    write("empty", "\n");
    for (const source of [{ env: "WAYBILL_NO_SUCH" }, { file: "none" }, { file: "empty" }]) {
      const name = Object.values(source)[0] ?? "";
      expect(() => readSecret(source, folder, "API key"))
        .to.throw(CommandError, name)
        .with.property("exitCode", 4);
    }
  });
});
