import { expect } from "chai";
import { encodeOrderAddress, type OrderAddressVmType } from "../../../src/records/orderAddress.ts";
import { expectInvalid } from "./support/typedFailure.ts";

type Row = readonly [vmType: OrderAddressVmType, address: string, bytes: string, source: string];

const program = "751e76e8199196d454941c45d1b3a323f1433bd6";
const tonHash = "ca6e321c7cce9ecedf0a8ca2492ec8592494aa5fb5ce0387dff96ef6af982a3e";
const zero = (bytes: number) => "00".repeat(bytes);

/** Published pairs: BIP-173, BIP-350, Bitcoin's first block, and the documents of Tron, TON and the XRP Ledger. */
const published: readonly Row[] = [
  ["bvm", "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", `00${program}`, "P2WPKH of BIP-173, in capitals"],
  ["bvm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", `00${program}`, "P2WPKH of BIP-173"],
  [
    "bvm",
    "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
    "001863143c14c5166804bd19203356da136c985678cd4d27a1b8c6329604903262",
    "P2WSH of BIP-173",
  ],
  [
    "bvm",
    "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0",
    "0179be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798",
    "P2TR of BIP-350",
  ],
  [
    "bvm",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa",
    "ff0062e907b15cbf27d5425399ebf6f0fb50ebb88f18",
    "P2PKH of Bitcoin's first block",
  ],
  ["bvm", "3P14159f73E4gFr7JterCCQh9QjiTjiZrG", "ff05e9c3dd0c07aac76179ebc76a6c78d4d67c6c160a", "P2SH"],
  ["tvm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t", "41a614f803b6fd780986a42c78ec9c7f77e6ded13c", "USDT on Tron"],
  ["tvm", "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb", `41${zero(20)}`, "the native currency of Tron"],
  [
    "xrpvm",
    "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh",
    "b5f762798a53d543a014caf8b297cff8f2f937e8",
    "the genesis account",
  ],
  ["xrpvm", "rrrrrrrrrrrrrrrrrrrrrhoLvTp", zero(20), "the XRP Ledger's account zero"],
  ["xrpvm", "rrrrrrrrrrrrrrrrrrrrBZbvji", `${zero(19)}01`, "the XRP Ledger's account one"],
  ["tonvm", `0:${tonHash}`, tonHash, "the raw form of TON's documents"],
  ["tonvm", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF", tonHash, "its bounceable form"],
  [
    "tonvm",
    "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPrHF",
    tonHash,
    "its bounceable form in plain base64",
  ],
  ["tonvm", "UQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPuwA", tonHash, "its form that does not bounce"],
  ["tonvm", "EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c", zero(32), "the native currency of TON"],
  [
    "tonvm",
    "EQD__________________________________________0vo",
    "ff".repeat(32),
    "digits that only base64url has",
  ],
  ["lvm", "0", zero(16), "the native currency of Lighter"],
  ["lvm", "281474976710654", `${zero(10)}fffffffffffe`, "an account of Lighter"],
  ["svm", "11111111111111111111111111111111", zero(32), "the system program"],
  [
    "svm",
    "11M5XgxKyNKL9AAEwghG94JvBpSSpQ2vbvDnXEzj69",
    "000001ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca",
    "42 digits, as many as an EVM address has",
  ],
  [
    "xrpvm",
    "0xB5f762798a53d543a014caf8b297cff8f2f937e8",
    "b5f762798a53d543a014caf8b297cff8f2f937e8",
    "bytes in mixed case, which have no checksum",
  ],
  ["evm", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "f39fd6e51aad88f6f4ce6ab8827279cfffb92266", "an EOA"],
  ["hypevm", `0x${"AB".repeat(20)}`, "ab".repeat(20), "an account of the exchange"],
];

/** Texts that name no account of the main network, or that a wallet would not send to. */
const refused: readonly (readonly [OrderAddressVmType, string, string])[] = [
  ["bvm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t5", "a wrong checksum"],
  ["bvm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3T4", "mixed case"],
  ["bvm", "tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "the test network (BIP-173)"],
  ["bvm", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqh2y7hd", "bech32 for version 1 (BIP-350)"],
  [
    "bvm",
    "BC1S0XLXVLHEMJA6C4DQV22UAPCTQUPFHLXM9H8Z3K2E72Q4K9HCZ7VQ54WELL",
    "bech32 for version 16 (BIP-350)",
  ],
  ["bvm", "BC1SW50QGDZ25J", "a later version, which anyone can spend (BIP-350)"],
  ["bvm", "bc1zw508d6qejxtdg4y5r3zarvaryvaxxpcs", "version 2 (BIP-350)"],
  ["bvm", "bc1gmk9yu", "no program (BIP-173)"],
  ["bvm", "bc1rw5uspcuh", "a short program (BIP-173)"],
  ["bvm", "BC1QR508D6QEJXTDG4Y5R3ZARVARYV98GJ9P", "a length that version 0 does not have (BIP-173)"],
  ["bvm", "bc1zw508d6qejxtdg4y5r3zarvaryvqyzf3du", "long padding (BIP-173)"],
  ["bvm", "bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vplqq80a", "padding that is not zero"],
  ["bvm", "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kqkhhp9x", "five bits of padding"],
  ["bvm", "0xgg", "bytes that are not hexadecimal"],
  ["bvm", "mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", "a base58 address of the test network"],
  ["bvm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb", "a wrong checksum"],
  ["bvm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7Divf0a", "a digit outside base58"],
  ["bvm", "", "nothing"],
  ["bvm", `0x02${program}`, "bytes of a later version"],
  ["tvm", "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "an address of Bitcoin"],
  ["tvm", "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6u", "a wrong checksum"],
  ["tvm", `0x${program}`, "20 bytes"],
  ["xrpvm", "rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTg", "a wrong checksum"],
  ["xrpvm", "X7AcgcsBL6XDcUb289X4mJ8djcdyKaB5hJDWMArnXr61cqZ", "a form that may hold a tag"],
  ["tonvm", `-1:${tonHash}`, "the masterchain"],
  [
    "tonvm",
    "Ef8zMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzMzM0vF",
    "an account of the masterchain, with its checksum",
  ],
  ["tonvm", `0:${tonHash.slice(2)}`, "31 bytes"],
  ["tonvm", `0:${tonHash}00`, "33 bytes"],
  ["tonvm", `x0:${tonHash}`, "a letter before the workchain"],
  ["tonvm", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHFA", "49 digits"],
  ["tonvm", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHG", "a wrong checksum"],
  ["tonvm", "EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrH", "47 digits"],
  ["tonvm", "kQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPgpP", "the test network"],
  ["lvm", "01", "a leading zero"],
  ["lvm", "-1", "a negative index"],
  ["lvm", "9007199254740992", "2^53"],
  ["svm", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266", "an EVM address"],
  ["evm", `0x${zero(32)}`, "32 bytes"],
  ["evm", "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92265", "a wrong checksum (EIP-55)"],
];

describe("encodeOrderAddress", () => {
  for (const [vmType, address, bytes, source] of published) {
    it(`${source}, ${address}: has its published bytes, also given as hexadecimal`, () => {
      expect(encodeOrderAddress({ address, vmType })).to.equal(`0x${bytes}`);
      if (vmType !== "svm")
        expect(encodeOrderAddress({ address: `0x${bytes}`, vmType })).to.equal(`0x${bytes}`);
    });
  }

  for (const [vmType, address, reason] of refused) {
    it(`${vmType}: rejects ${reason}, ${address || "an empty text"}`, () => {
      expectInvalid(() => encodeOrderAddress({ address, vmType }), "address");
    });
  }

  it("Bitcoin's currency: is the service's name of it, 20 zero bytes, and no account", () => {
    const address = `bc1${"q".repeat(32)}mql8k8`;
    const currency = { role: "currency", vmType: "bvm" } as const;
    for (const form of [address, `0x${zero(20)}`]) {
      expect(encodeOrderAddress({ address: form, ...currency })).to.equal(`0x${zero(20)}`);
    }
    expectInvalid(() => encodeOrderAddress({ address, vmType: "bvm" }), "address");
    expectInvalid(
      () => encodeOrderAddress({ address: "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", ...currency }),
      "address",
    );
  });

  it("Tron's native currency: has the bytes of its address", () => {
    const address = "T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb";
    expect(encodeOrderAddress({ address, role: "currency", vmType: "tvm" })).to.equal(`0x41${zero(20)}`);
  });

  it("rejects a vmType without a form, by name", () => {
    expectInvalid(() => encodeOrderAddress({ address: "0x", vmType: "suivm" as "evm" }), "vmType");
  });
});
