import { expect } from "chai";
import { InvalidArgumentError } from "commander";
import { readCount } from "../../../cli/flags/readCount.ts";
import { readLimits } from "../../../cli/flags/readLimits.ts";
import { startEmulator } from "../../../emulator/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";

describe("flags of the command", () => {
  it("take how many chains there are, from 1 to 8", () => {
    expect(["1", "8"].map(readCount)).to.deep.equal([1, 8]);
    for (const wrong of ["0", "9", "-1", "2.5", "two", "", "11"]) {
      expect(() => readCount(wrong), wrong).to.throw(InvalidArgumentError, "1 to 8");
    }
  });

  it("take seconds for some limits or all, and hand on milliseconds", () => {
    expect(readLimits("request=30,answer=0.25")).to.deep.equal({ answerMs: 250, requestMs: 30_000 });
    expect(readLimits("header=1,request=2,answer=3,idle=3600")).to.deep.equal({
      answerMs: 3_000,
      headersMs: 1_000,
      idleMs: 3_600_000,
      requestMs: 2_000,
    });
    for (const wrong of [
      "",
      "header",
      "header=",
      "header=0",
      "header=3601",
      "look=1",
      "toString=1",
      "idle=1,",
      "idle=1e3",
    ]) {
      expect(() => readLimits(wrong), wrong).to.throw(
        InvalidArgumentError,
        "header, request, answer and idle",
      );
    }
  });

  it("are held against one another before anything is started", async () => {
    const external = [{ id: 31337, rpcUrl: "http://127.0.0.1:1" }];
    for (const [parameters, said] of [
      [{ chainCount: 3, chainPorts: [0, 0] }, /there are 3 chains, and 2 ports/],
      [{ chainCount: 1, chainPorts: [0, 0] }, /there is 1 chain, and 2 ports/],
      [{ chainCount: 9 }, /from 1 to 8/],
      [{ chainCount: 1.5 }, /from 1 to 8/],
      [{ chainCount: 1, chains: external }, /`chainCount`.*run elsewhere/],
      [{ hostname: "192.0.2.1" }, /192\.0\.2\.1 cannot be listened on at port 0: EADDRNOTAVAIL/],
    ] as const) {
      const failure = await failureOf(startEmulator({ port: 0, ...parameters }));
      expect(failure).to.be.instanceOf(Error).with.property("message").that.matches(said);
    }
  });
});
