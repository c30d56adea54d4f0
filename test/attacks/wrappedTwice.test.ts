import { expect } from "chai";
import { guardAnnouncements, guardProvider, type WalletProvider } from "../../src/guard/index.ts";
import { txHash } from "../unit/client/support/samples.ts";
import { wrapSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send } from "../unit/guard/support/wallet.ts";

describe("attack: a page that puts its guard before a wallet twice by accident", () => {
  it("the announced wallet, which is guarded, is given to guardProvider as well: an honest quote is paid", async () => {
    const { guard, log } = await guarded([wrapSample("wrapped twice")]);
    const wallet: WalletProvider = {
      request: async ({ method }) => {
        if (method === "eth_chainId") return "0x7a69";
        if (method === "eth_blockNumber") return "0x7";
        log.push({ method });
        return txHash;
      },
    };
    const target = new EventTarget();
    guardAnnouncements(guard, target);
    const announced = Promise.withResolvers<WalletProvider>();
    target.addEventListener("eip6963:announceProvider", (event) =>
      announced.resolve((event as CustomEvent<{ provider: WalletProvider }>).detail.provider),
    );
    const detail = { info: { uuid: "1" }, provider: wallet };
    target.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
    const twice = guardProvider(await announced.promise, guard);
    expect(await send(twice, callOf(wrapSample("wrapped twice"))).catch(String)).to.equal(txHash);
  });
});
