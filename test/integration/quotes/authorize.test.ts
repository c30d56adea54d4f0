import { expect } from "chai";
import { zeroAddress } from "viem";
import { authorize, getQuote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askPlainly, bridgeIntent, refusalOf } from "../../helpers/quotes/bridgeIntent.ts";

describe("POST /authorize", () => {
  const fixture = useEmulator();

  async function authorizeAs(index: number, change: { id?: `0x${string}`; walletChainId?: number } = {}) {
    const account = fixture.alpha.wallet(index).account;
    const { address } = fixture.alpha.wallet(0).account;
    const statement = { depositor: address, id: `0x${"0d".repeat(32)}` as const, nonce: 1, ...change };
    if (account.signTypedData === undefined) throw new Error("the account cannot sign");
    const signature = await account.signTypedData({
      domain: { chainId: 31_337, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
      message: {
        chainId: "hyperliquid",
        depositor: statement.depositor,
        id: statement.id,
        nonce: 1n,
        wallet: address,
      },
      primaryType: "NonceMapping",
      types: {
        NonceMapping: [
          { name: "chainId", type: "string" },
          { name: "wallet", type: "address" },
          { name: "depositor", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "nonce", type: "uint256" },
        ],
      },
    });
    const call = { ...statement, signature, signatureChainId: 31_337, wallet: address };
    return refusalOf(authorize(fixture.client, { walletChainId: 1337, ...call, ...change }));
  }

  // @spec perps/authorize-signature
  it("rejects a signature of another wallet", async () => {
    const { message, status } = await authorizeAs(1);
    expect(status).to.equal(400);
    expect(message).to.include("not the wallet's signature");
  });

  it("rejects a well-signed message that is no order, or no withdrawal from the perps exchange", async () => {
    const unknown = await authorizeAs(0);
    expect(unknown.status).to.equal(400);
    expect(unknown.message).to.include("There is no order with this id");
    const { protocol } = await getQuote(fixture.client, bridgeIntent(fixture));
    const id = protocol?.v2?.orderId as `0x${string}`;
    const other = await authorizeAs(0, { id });
    expect(other.status).to.equal(400);
    expect(other.message).to.include("not a withdrawal from the perps exchange");
  });

  // @spec perps/authorize-body perps/authorize-signature
  it("rejects another chain than the perps exchange, and an unreadable body or signature", async () => {
    expect((await authorizeAs(0, { walletChainId: 1 })).message).to.include("`walletChainId` must be 1337");
    const wallet = fixture.alpha.wallet(0).account.address;
    const statement = {
      depositor: wallet,
      id: `0x${"0d".repeat(32)}`,
      nonce: 1,
      signatureChainId: 31_337,
      type: "nonce-mapping",
      wallet,
      walletChainId: 1337,
    };
    const ofForm = `0x${"11".repeat(65)}`;
    for (const [query, body, reason] of [
      ["", statement, "`signature`"],
      ["?signature=", statement, "`signature`"],
      ["?signature=0x", statement, "`signature`"],
      [`?signature=${ofForm}`, statement, "not the wallet's signature"],
      [`?signature=${ofForm}`, { ...statement, type: "permit" }, "`type`"],
      ...["id", "nonce", "signatureChainId", "type", "wallet", "walletChainId"].map(
        (name) => [`?signature=${ofForm}`, { ...statement, [name]: undefined }, `\`${name}\``] as const,
      ),
    ] as const) {
      const answer = await askPlainly(fixture, `/authorize${query}`, {
        body: JSON.stringify(body),
        method: "POST",
      });
      expect(answer.status, reason).to.equal(400);
      expect(answer.body).to.have.property("errorCode", "INVALID_REQUEST");
      expect(answer.body).to.have.property("message").which.includes(reason);
    }
  });
});
