import { expect } from "chai";
import { renderAbi, renderAbiIndex } from "../../../../scripts/generate/renderAbi.ts";

describe("renderAbi", () => {
  it("writes each entry of an ABI on one line that starts with its type and name", () => {
    const owner = { internalType: "address", name: "", type: "address" };
    const abi = [
      { inputs: [], stateMutability: "nonpayable", type: "constructor" },
      { inputs: [], name: 'Not"Owner', type: "error" },
      { anonymous: false, inputs: [{ indexed: true, ...owner }], name: "Moved", type: "event" },
    ];
    const lines = renderAbi("Owned", abi).split("\n");
    expect(lines.slice(lines.indexOf("export const ownedAbi = [") + 1)).to.deep.equal([
      '  { type: "constructor", inputs: [], stateMutability: "nonpayable" },',
      '  { type: "error", name: "Not\\"Owner", inputs: [] },',
      '  { type: "event", name: "Moved", anonymous: false, inputs: [{ type: "address", name: "", indexed: true, internalType: "address" }] },',
      "] as const;",
      "",
    ]);
  });
});

describe("renderAbiIndex", () => {
  it("names the constants of a contract after it and lists them in order", () => {
    const text = renderAbiIndex(["RelayRouterV3", "BalanceProxy"]);
    expect(text).to.match(/balanceProxyAbi \} from "\.\/BalanceProxy\.ts";/);
    expect([...text.matchAll(/"\.\/(\w+)\.ts"/g)].map(([, module]) => module)).to.deep.equal([
      "BalanceProxy",
      "deployments",
      "RelayRouterV3",
      "receiverAddress",
    ]);
  });
});
