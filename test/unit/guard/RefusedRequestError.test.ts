import { expect } from "chai";
import { RefusedRequestError } from "../../../src/guard/index.ts";

describe("RefusedRequestError", () => {
  it("a method with lines, escape sequences and a million characters: the message is one short printable line", () => {
    const method = `eth_x\n\u001b[2J\u202e${"y".repeat(1_000_000)}`;
    const { message } = new RefusedRequestError({ differences: [], method, reason: "no" });
    expect(message.length).to.be.lessThan(1_000);
    expect(message).to.not.match(/\p{Cc}|\p{Bidi_Control}/u);
  });
});
