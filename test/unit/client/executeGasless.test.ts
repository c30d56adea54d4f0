import { expect } from "chai";
import { executeGasless } from "../../../src/client/index.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { requestId, token } from "./support/samples.ts";

describe("executeGasless", () => {
  it("reports why the call would revert", async () => {
    const revert = {
      innermost: { type: "CALL" },
      path: [],
      revert: { label: "X", message: "m", type: "panic" },
    };
    const body = { details: revert, error: "DELEGATION_REDEEM_FAILED", message: "It reverted", requestId };
    const { client } = fakeService([json(body, 400)]);
    const data = { chainId: 1, data: "0x", to: token, value: 4n } as const;
    const error = await rejectionOf(
      executeGasless(client, { data, executionOptions: { subsidizeFees: true } }),
    );
    expect(error).to.include({
      details: "It reverted",
      errorCode: "DELEGATION_REDEEM_FAILED",
      requestId,
      status: 400,
    });
    expect(error).to.have.deep.property("errorData", revert);
  });
});
