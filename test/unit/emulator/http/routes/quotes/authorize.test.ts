import { expect } from "chai";
import { concatHex, encodeAbiParameters, keccak256, numberToHex, stringToHex, zeroAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  hashNonceMapping,
  isSignedByWallet,
  type NonceMappingStatement,
} from "../../../../../../emulator/http/routes/quotes/authorize.ts";

const account = privateKeyToAccount("0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80");
/** Published with the typed data, version 2. */
const typehash = "0x6b0ad364bd028601374c93fa49e68dd283efb61f94bc8e4b0c7a633257c3ee30";
const statement: NonceMappingStatement & { depositor: `0x${string}` } = {
  depositor: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  id: `0x${"0d".repeat(32)}`,
  nonce: 1_700_000_000_000,
  signatureChainId: 31_337,
  wallet: account.address,
};

const text = (value: string) => keccak256(stringToHex(value));
const words = ["bytes32", "bytes32", "address", "address", "bytes32", "uint256"].map((type) => ({ type }));

describe("nonce mapping of authorize", () => {
  // @spec perps/mapping-domain perps/mapping-type
  it("hashes with the published typehash and the chain of the signature", () => {
    const domain = keccak256(
      encodeAbiParameters(
        ["bytes32", "bytes32", "bytes32", "uint256", "address"].map((type) => ({ type })),
        [
          text("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"),
          text("RelayNonceMapping"),
          text("2"),
          31_337n,
          zeroAddress,
        ],
      ),
    );
    const { depositor, id, nonce, wallet } = statement;
    const values = [typehash, text("hyperliquid"), wallet, depositor, id, BigInt(nonce)];
    const struct = keccak256(encodeAbiParameters(words, values));
    expect(hashNonceMapping(statement)).to.equal(keccak256(concatHex(["0x1901", domain, struct])));
  });

  // @spec perps/mapping-chain
  it("a signature of the wallet: is accepted for its statement and for no other field or wallet", async () => {
    const signature = await account.sign({ hash: hashNonceMapping(statement) });
    expect(await isSignedByWallet(statement, signature)).to.equal(true);
    const { depositor: _, ...first } = statement;
    const others: NonceMappingStatement[] = [
      { ...statement, wallet: statement.depositor },
      { ...statement, depositor: account.address },
      { ...statement, id: `0x${"0e".repeat(32)}` },
      { ...statement, nonce: Number(statement.nonce) + 1 },
      { ...statement, signatureChainId: 1 },
      first,
    ];
    for (const other of others) expect(await isSignedByWallet(other, signature)).to.equal(false);
  });

  it("addresses in any letter case: are accepted", async () => {
    const signature = await account.sign({ hash: hashNonceMapping(statement) });
    const shout = (address: string) => `0x${address.slice(2).toUpperCase()}` as const;
    const same = { ...statement, depositor: shout(statement.depositor), wallet: shout(statement.wallet) };
    expect(await isSignedByWallet(same, signature)).to.equal(true);
  });

  it("a statement without a depositor: is of version 1", async () => {
    const { depositor: _, ...first } = statement;
    const signature = await account.signTypedData({
      domain: { chainId: 31_337, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "1" },
      message: { chainId: "hyperliquid", id: first.id, nonce: BigInt(first.nonce), wallet: first.wallet },
      primaryType: "NonceMapping",
      types: {
        NonceMapping: [
          { name: "chainId", type: "string" },
          { name: "wallet", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "nonce", type: "uint256" },
        ],
      },
    });
    expect(await isSignedByWallet(first, signature)).to.equal(true);
    expect(await isSignedByWallet(statement, signature)).to.equal(false);
  });

  it("malformed signatures: are rejected", async () => {
    for (const signature of [`0x${"00".repeat(65)}`, `0x${"ff".repeat(65)}`, numberToHex(1, { size: 64 })]) {
      expect(await isSignedByWallet(statement, signature as `0x${string}`)).to.equal(false);
    }
  });
});
