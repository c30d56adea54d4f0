import { expect } from "chai";
import { postWebhook } from "../../../../emulator/webhooks/postWebhook.ts";
import { startReceiver } from "./support/receiver.ts";

describe("postWebhook", () => {
  it("a name that moves to another address after its first delivery: is rejected before the connection", async () => {
    const receiver = await startReceiver();
    const post = (address: string) =>
      postWebhook(
        `http://moving.test:${receiver.port}/hook`,
        { body: "{}", headers: {} },
        {
          allowRemote: false,
          resolve: async () => [{ address, family: 4 }],
          signal: new AbortController().signal,
          timeoutMs: 5_000,
        },
      );
    expect((await post("127.0.0.1")).statusCode).to.equal(200);
    const { error, statusCode } = await post("203.0.113.9");
    expect(statusCode).to.equal(null);
    expect(error).to.match(/moving\.test is 203\.0\.113\.9/);
    expect((await post("0.0.0.0")).error).to.match(/not this machine/);
    expect(receiver.received).to.have.length(1);
    await receiver.stop();
  });
});
