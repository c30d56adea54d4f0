import { expect } from "chai";
import { checkSecrets } from "../../../../scripts/checks/secrets.ts";

const messages = (text: string): string[] =>
  checkSecrets([{ path: "src/a.ts", text }]).map(({ line, message }) => `${line} ${message}`);

// Assembled from parts, so that this file does not match the check.
const unknownKey = `0x${"12".repeat(32)}`;
const firstTestKey = ["0xac0974bec39a17e36ba4a6b4d238ff94", "4bacb478cbed5efcae784d7bf4f2ff80"].join("");
const testMnemonic = `${"test ".repeat(11)}junk`;

describe("the check for secrets", () => {
  it("accepts the keys and the words of the public test mnemonic", () => {
    expect(
      messages(`const privateKey = "${firstTestKey}";\nconst mnemonic = "${testMnemonic}";`),
    ).to.deep.equal([]);
  });

  it("finds another private key, with or without its prefix", () => {
    const message = "holds a private key that is not one of the public test mnemonic's";
    expect(messages(`\nconst privateKey = "${unknownKey}";`)).to.deep.equal([`2 ${message}`]);
    expect(messages(`PRIVATE_KEY=${unknownKey.slice(2)}`)).to.deep.equal([`1 ${message}`]);
  });

  it("accepts hashes and signatures", () => {
    expect(
      messages(`const requestId = "${unknownKey}";\nconst signature = "0x${"ab".repeat(65)}";`),
    ).to.deep.equal([]);
  });

  it("finds another mnemonic, and not a sentence of twelve words", () => {
    expect(messages(`const words = "${"abandon ".repeat(11)}about";`)[0]).to.contain("mnemonic");
    expect(
      messages('const text = "this sentence has twelve words that nobody will take for words here";'),
    ).to.deep.equal([]);
  });

  it("finds credentials, key files, registries and home folders", () => {
    const bad = [
      `-----BEGIN EC ${"PRIVATE"} KEY-----`,
      `npm_${"a".repeat(36)}`,
      ["https://", "registry.", "npmjs.org/viem"].join(""),
      ["", "home", "alice", "waybill"].join("/"),
      ["", "Users", "alice"].join("/"),
    ];
    expect(bad.map((text) => messages(text).length)).to.deep.equal([1, 1, 1, 1, 1]);
  });

  it("does not take a path inside the repository for a home folder", () => {
    expect(messages('import "./pages/home/start.ts";')).to.deep.equal([]);
  });
});
