import { expect } from "chai";
import { type Address, concatHex, encodeAbiParameters, type Hex, keccak256, padHex } from "viem";
import { findBalanceSlot } from "../../../emulator/chains/tokenSlots.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askNode, deploy, setCode } from "../../helpers/localChain.ts";

const account: Address = "0x00000000000000000000000000000000000a11ce";
const token: Address = "0x00000000000000000000000000000000000c0de5";

/** Code that reads a mapping at a slot for the account of the calldata, as `balanceOf` does. */
const mappingCode = (order: "solidity" | "vyper", slot: bigint): Hex => {
  const push = concatHex(["0x7f", padHex(`0x${slot.toString(16)}`, { size: 32 })]);
  // The account is at byte 4 of the calldata.
  const argument: Hex = "0x600435";
  const [first, second] = order === "solidity" ? [argument, push] : [push, argument];
  // first, mstore at 0; second, mstore at 32; keccak of 64 bytes, sload, return
  return concatHex([first, "0x600052", second, "0x602052", "0x60406000205460005260206000f3"]);
};

describe("balance slots of tokens", () => {
  const fixture = useEmulator();
  const find = (address: Address) =>
    findBalanceSlot(
      { rpc: (method, params = []) => askNode(fixture.alpha, method, ...params) },
      address,
      account,
    );
  const hash = (types: readonly ["address" | "uint256", "address" | "uint256"], values: readonly unknown[]) =>
    keccak256(
      encodeAbiParameters(
        types.map((type) => ({ type })),
        values as never,
      ),
    );

  it("are found in Solidity's mappings, OpenZeppelin's namespace and Vyper's mappings", async () => {
    const namespace = 0x52c63247e1f47db19d5ce0460030c497f067ca4cebf71ba98eeadabe20bace00n;
    for (const slot of [0n, 9n, 31n, namespace]) {
      await setCode(fixture.alpha, token, mappingCode("solidity", slot));
      expect(await find(token)).to.equal(hash(["address", "uint256"], [account, slot]));
    }
    await setCode(fixture.alpha, token, mappingCode("vyper", 3n));
    expect(await find(token)).to.equal(hash(["uint256", "address"], [3n, account]));
  });

  it("are found in Solady's tokens", async () => {
    const solady = await deploy(fixture.alpha, "mocks/SoladyToken");
    expect(await find(solady)).to.equal(keccak256(concatHex([account, padHex("0x87a211a2", { size: 12 })])));
  });

  it("are not found outside the searched mappings, and every searched word stays as it was", async () => {
    await setCode(fixture.alpha, token, mappingCode("solidity", 32n));
    expect(await find(token)).to.equal(undefined);
    const slot = hash(["address", "uint256"], [account, 5n]);
    expect(BigInt(String(await askNode(fixture.alpha, "eth_getStorageAt", token, slot, "latest")))).to.equal(
      0n,
    );
  });
});
