import { expect } from "chai";
import { getAppFeeBalances } from "../../../src/client/index.ts";
import { fakeService, json } from "./support/fakeService.ts";

describe("getAppFeeBalances", () => {
  it("escapes a wallet that is no EVM address in the path", async () => {
    const { calls, client } = fakeService([json({ balances: [] })]);
    await getAppFeeBalances(client, { wallet: "../../admin?x=#" });
    expect(calls[0]?.pathname).to.equal("/app-fees/..%2F..%2Fadmin%3Fx%3D%23/balances");
  });
});
