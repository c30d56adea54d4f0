import { expect } from "chai";
import { Wallet } from "ethers";
import fc from "fast-check";
import {
  type Hex,
  hexToBytes,
  parseSignature,
  serializeCompactSignature,
  signatureToCompactSignature,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { hashOrder, signOrder } from "../../../src/records/hashOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { recoverOrderSigner } from "../../../src/records/recoverSigner.ts";
import { SignatureInvalidError } from "../../../src/records/SignatureInvalidError.ts";
import { type VerifyOrderParameters, verifyOrder } from "../../../src/records/verifyOrder.ts";
import { rejectionOf } from "../client/support/fakeService.ts";
import { anyOrder } from "./support/orders.ts";
import { publishedOrder } from "./support/vectors.ts";

const mnemonic = "test test test test test test test test test test test junk";
const account = mnemonicToAccount(mnemonic);
const stranger = mnemonicToAccount(mnemonic, { addressIndex: 1 });
const published = publishedOrder("order-base-optimism");
const order: Order = { ...published.order, solver: account.address };

async function parametersOf(change: Partial<VerifyOrderParameters> = {}): Promise<VerifyOrderParameters> {
  return { order, signature: await signOrder({ account, order }), solver: account.address, ...change };
}

describe("signOrder", () => {
  it("signs the 32 raw bytes of the id as another library does", async () => {
    const wallet = new Wallet(`0x${Buffer.from(account.getHdKey().privateKey ?? []).toString("hex")}`);
    const expected = await wallet.signMessage(hexToBytes(hashOrder({ order })));
    expect(await signOrder({ account, order })).to.equal(expected);
  });

  it("gives what verifies, for any order", async () => {
    await fc.assert(
      fc.asyncProperty(anyOrder, async (any) => {
        const mine = { ...any, solver: account.address };
        const signature = await signOrder({ account, order: mine });
        expect((await verifyOrder({ order: mine, signature, solver: account.address })).valid).to.equal(true);
      }),
      { numRuns: 20 },
    );
  }).timeout(20_000);
});

describe("verifyOrder", () => {
  it("takes the solver's signature in both forms, and an id in any letter case", async () => {
    const parameters = await parametersOf();
    const { signature } = parameters;
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
    const orderId: Hex = `0x${hashOrder({ order }).slice(2).toUpperCase()}`;
    for (const form of [signature, compact]) {
      expect(await verifyOrder({ ...parameters, orderId, signature: form })).to.deep.equal({
        orderId: hashOrder({ order }),
        signer: account.address,
        valid: true,
      });
    }
  });

  it("says what is wrong: the id, the order's solver, or who signed", async () => {
    const cases: readonly (readonly [string, Partial<VerifyOrderParameters>])[] = [
      ["order-id", { orderId: published.orderId }],
      ["order-solver", { solver: stranger.address }],
      ["signer", { signature: await signOrder({ account: stranger, order }) }],
    ];
    for (const [reason, change] of cases) {
      const verdict = await verifyOrder(await parametersOf(change));
      expect(verdict, reason).to.deep.include({ reason, valid: false });
      expect(verdict, reason).not.to.have.property("mistake");
    }
  });

  it("refuses an order whose own solver signed it when that is not the caller's solver", async () => {
    const forged = { ...order, solver: stranger.address };
    const signature = await signOrder({ account: stranger, order: forged });
    const verdict = await verifyOrder({ order: forged, signature, solver: account.address });
    expect(verdict).to.deep.include({ reason: "order-solver", signer: stranger.address, valid: false });
  });

  it("names the two known mistakes: the id signed as text, and without the prefix", async () => {
    const orderId = hashOrder({ order });
    const text = await account.signMessage({ message: orderId });
    const raw = await account.sign({ hash: orderId });
    const [asText, withoutPrefix] = [
      await verifyOrder(await parametersOf({ signature: text })),
      await verifyOrder(await parametersOf({ signature: raw })),
    ];
    expect(asText).to.deep.include({ mistake: "id-signed-as-text", reason: "signer", valid: false });
    expect(withoutPrefix).to.deep.include({ mistake: "message-prefix-missing", valid: false });
  });

  it("refuses what no contract would look at, and arguments that do not fit, by name", async () => {
    for (const signature of ["0x", "0x12", `0x${"11".repeat(66)}`, `0x${"ff".repeat(65)}`] as Hex[]) {
      expect(await rejectionOf(parametersOf({ signature }).then(verifyOrder))).to.be.instanceOf(
        SignatureInvalidError,
      );
    }
    const wrong: readonly (readonly [string, Partial<VerifyOrderParameters>])[] = [
      ["solver", { solver: "0x12" }],
      ["orderId", { orderId: "0x12" }],
      ["order", { order: null as unknown as Order }],
      ["order.salt", { order: { ...order, salt: -1n } }],
    ];
    for (const [parameter, change] of wrong) {
      expect(await rejectionOf(parametersOf(change).then(verifyOrder))).to.have.property(
        "parameter",
        parameter,
      );
    }
  });
});

describe("recoverOrderSigner", () => {
  it("recovers who signed, and refuses an id that is not 32 bytes", async () => {
    const signature = await signOrder({ account, order });
    expect(await recoverOrderSigner({ orderId: hashOrder({ order }), signature })).to.equal(account.address);
    const short = recoverOrderSigner({ orderId: "0x12", signature });
    expect(await rejectionOf(short)).to.have.property("parameter", "orderId");
  });
});
