import { expect } from "chai";
import { foldLog, type LogEntry } from "../../../../emulator/log/LogEntry.ts";
import { pause } from "../support/waiting.ts";

const windowMs = 60;
const away = (details: string) => new Error(`the node does not answer\n${details}`);

describe("foldLog", () => {
  it("a line that comes 121 times within a window is written twice, the second with the count", async () => {
    const written: LogEntry[] = [];
    const { log } = foldLog((entry) => written.push(entry), windowMs);
    for (let i = 0; i < 121; i++)
      log({ cause: away(`block ${i}`), level: "error", message: "a round failed" });
    expect(written.map(({ message }) => message)).to.deep.equal(["a round failed"]);
    await pause(3 * windowMs);
    const count = `a round failed … repeated 120 times in ${windowMs / 1_000} s`;
    expect(written.map(({ message }) => message)).to.deep.equal(["a round failed", count]);
    // The count comes with the last cause.
    expect(String(written[1]?.cause)).to.include("block 120");
    log({ cause: away("later"), level: "error", message: "a round failed" });
    expect(written).to.have.length(3);
  });

  it("lines that differ in message, request or cause are each written", () => {
    const written: LogEntry[] = [];
    const { flush, log } = foldLog((entry) => written.push(entry), windowMs);
    log({ level: "error", message: "one" });
    log({ level: "info", message: "one" });
    log({ level: "error", message: "one", requestId: "0x01" });
    log({ level: "error", message: "one", requestId: "0x02" });
    log({ cause: new Error("full"), level: "error", message: "one" });
    expect(written).to.have.length(5);
    log({ level: "error", message: "one" });
    flush();
    expect(written.at(-1)?.message).to.equal("one … repeated once in 0.06 s");
  });
});
