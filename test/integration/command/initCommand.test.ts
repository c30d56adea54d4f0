import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { runWaybill } from "../../helpers/processes/runWaybill.ts";

const files = [
  ".gitignore",
  "README.md",
  "contracts/Checkout.sol",
  "hardhat.config.ts",
  "package.json",
  "test/Checkout.test.ts",
  "tsconfig.json",
];

describe("waybill init", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "waybill-init-"));
  });
  afterEach(() => rmSync(folder, { force: true, recursive: true }));

  it("a new folder: gets every file, and a package with the folder's name and the version of the command", async () => {
    const { code, err, out } = await runWaybill(["init", "My Payments", "--json"], { cwd: folder });
    expect({ code, err }).to.deep.equal({ code: 0, err: "" });
    expect((JSON.parse(out) as { files: string[] }).files.toSorted()).to.deep.equal(files.toSorted());
    const project = join(folder, "My Payments");
    for (const file of files) expect(existsSync(join(project, file)), file).to.equal(true);
    const { devDependencies, name } = JSON.parse(readFileSync(join(project, "package.json"), "utf8"));
    const version = `^${(await runWaybill(["--version"])).out.trim()}`;
    expect(name).to.equal("my-payments");
    expect(devDependencies).to.include({ "@waybill/hardhat": version, waybill: version });
  });

  it("a folder with a file: is refused, and keeps what it has", async () => {
    writeFileSync(join(folder, "package.json"), "{}");
    const { code, err, out } = await runWaybill(["init"], { cwd: folder });
    expect({ code, out }).to.deep.equal({ code: 2, out: "" });
    expect(err).to.include("is not empty: it has package.json");
    expect(readdirSync(folder)).to.deep.equal(["package.json"]);
  });

  it("a folder whose name is a command: is quoted in the next steps", async () => {
    const { code, out } = await runWaybill(["init", "a b; $(touch stolen)"], { cwd: folder });
    expect(code).to.equal(0);
    expect(out).to.include("\n  cd 'a b; $(touch stolen)'\n");
  });

  it("a folder with a name of 255 characters: gets a name that npm accepts", async () => {
    await runWaybill(["init", "a".repeat(255)], { cwd: folder });
    const manifest = readFileSync(join(folder, "a".repeat(255), "package.json"), "utf8");
    expect((JSON.parse(manifest) as { name: string }).name).to.equal("a".repeat(214));
  });

  it("a fresh repository: is no obstacle", async () => {
    mkdirSync(join(folder, ".git"));
    const { code, out } = await runWaybill(["init"], { cwd: folder });
    expect(code).to.equal(0);
    expect(out).to.match(/Created 7 files .*\n {2}npm install\n {2}npm test\n$/);
  });
});
