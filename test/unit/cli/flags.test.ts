import { InvalidArgumentError } from "@commander-js/extra-typings";
import { expect } from "chai";
import { readFork } from "../../../cli/flags/readFlags.ts";
import { startEmulator } from "../../../emulator/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";

describe("flags of the command", () => {
  it("take forks by id or name, with or without a block", () => {
    const [first, second] = [
      { id: 1, rpcUrl: "https://node.example/v3/key" },
      { block: 7, id: 8_453 },
    ];
    expect(readFork("ethereum=https://node.example/v3/key")).to.deep.equal([first]);
    expect(readFork("8453=http://user:secret@127.0.0.1:8545@7", [first])).to.deep.equal([
      first,
      { ...second, rpcUrl: "http://user:secret@127.0.0.1:8545" },
    ]);
    for (const wrong of ["", "1", "1=", "0=http://a", "nowhere=http://a", "toString=http://a", "1=ftp://a"]) {
      expect(() => readFork(wrong), wrong).to.throw(InvalidArgumentError, "ethereum=https://");
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
