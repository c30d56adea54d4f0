import { expect } from "chai";
import { capGas } from "../../../../../emulator/chains/evm/capGas.ts";

describe("capGas", () => {
  const asked: unknown[] = [];
  const rpc = capGas(async (method, params) => {
    asked.push([method, params]);
  });
  beforeEach(() => {
    asked.length = 0;
  });

  for (const method of ["eth_call", "eth_estimateGas"]) {
    it(`bounds the gas of ${method} and passes on its block`, async () => {
      await rpc(method, [{ to: "0x1" }, "latest"]);
      expect(asked).to.deep.equal([[method, [{ gas: "0x4c4b40", to: "0x1" }, "latest"]]]);
    });
  }

  it("leaves a given gas limit, and other methods", async () => {
    await rpc("eth_call", [{ gas: "0x5208", to: "0x1" }, "latest"]);
    await rpc("eth_sendTransaction", [{ to: "0x1" }]);
    await rpc("eth_blockNumber");
    expect(asked).to.deep.equal([
      ["eth_call", [{ gas: "0x5208", to: "0x1" }, "latest"]],
      ["eth_sendTransaction", [{ to: "0x1" }]],
      ["eth_blockNumber", []],
    ]);
  });
});
