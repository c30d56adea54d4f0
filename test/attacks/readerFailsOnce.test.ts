import { expect } from "chai";
import { createPublicClient, custom, encodeAbiParameters, numberToHex } from "viem";
import { rejectionOf } from "../unit/client/support/fakeService.ts";
import { txHash } from "../unit/client/support/samples.ts";
import { policy, tokenSample } from "../unit/guard/support/quotes.ts";
import { callOf, guarded, send } from "../unit/guard/support/wallet.ts";

/** The app's own node, as `policyFor` may name it. Answers for the sample's token. */
function appNode() {
  const node = { isOffline: false };
  const answer = (method: string, params: unknown) => {
    if (node.isOffline) throw new Error("offline");
    if (method === "eth_chainId") return numberToHex(31337);
    const [{ data }] = params as [{ data: string }];
    return data.startsWith("0x313ce567")
      ? encodeAbiParameters([{ type: "uint8" }], [6])
      : encodeAbiParameters([{ type: "string" }], ["ETH"]);
  };
  const transport = custom(
    { request: async ({ method, params }) => answer(method, params) },
    { retryCount: 0 },
  );
  return { node, reader: createPublicClient({ transport }) };
}

describe("attack: a read of the proof that fails once", () => {
  it("the app's node is offline once, between approval and payment: the payment passes when it is asked for again", async () => {
    const { node, reader } = appNode();
    const sample = await tokenSample("node offline once");
    const { provider } = await guarded([sample], { policy: { ...policy, reader } });
    await send(provider, callOf(sample));
    node.isOffline = true;
    expect(await rejectionOf(send(provider, callOf(sample, 1)))).to.include({ code: 4100 });
    node.isOffline = false;
    const again = await send(provider, callOf(sample, 1)).catch((error: unknown) => error);
    expect(again).to.equal(txHash);
  });
});
