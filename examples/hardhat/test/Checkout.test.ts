import { trustOfEmulator } from "@waybill/emulator";
import { expect } from "chai";
import { network } from "hardhat";
import { type Address, concat, type Hex, numberToHex, pad, parseEther, zeroAddress } from "viem";
import { getQuote, getSignature } from "waybill/client";
import { verifyQuote } from "waybill/execute";

const merchant: Address = "0x00000000000000000000000000000000000a11ce";
const price = parseEther("0.5");

// Customers pay on one chain, the merchant is paid on another.
const shop = await network.create({ override: { chainId: 31_338 } });
const connection = await network.create();
const emulator = await connection.waybill.start({ origin: shop });
const { client, destination, info, origin } = emulator;
const [customer] = await shop.viem.getWalletClients();
if (customer === undefined) throw new Error("no account");

const deploy = async () => {
  // In production: constants of your own.
  const payee = info.chains[0]?.contracts.relayReceiver ?? zeroAddress;
  const { id } = destination.info;
  return shop.viem.deployContract("Checkout", [
    info.solver,
    payee,
    BigInt(id),
    pad(merchant),
    [price, 2n * price],
  ]);
};

/** What a shop's page does before the customer's wallet opens. */
const order = async (recipient = merchant) => {
  const request = {
    amount: price,
    destinationChainId: destination.info.id,
    destinationCurrency: zeroAddress,
    originChainId: origin.info.id,
    originCurrency: zeroAddress,
    recipient,
    tradeType: "EXACT_INPUT",
    refundTo: customer.account.address,
    user: customer.account.address,
  } as const;
  const quote = await getQuote(client, request);
  // The record does not sign the output; the order of the same request does.
  await verifyQuote({ minimumOutput: parseEther("0.485"), quote, request, trust: trustOfEmulator(info) });
  const { id } = emulator.request(quote);
  const { signature } = await getSignature(client, { requestId: id });
  return { expected: BigInt(quote.details.currencyOut.amount), id, signature: signature as Hex };
};

/** The customer's call: the item follows the solver's signature. */
const purchase = ({ id, signature }: { id: Hex; signature: Hex }, item = 0n, recipient = merchant) =>
  [
    id,
    BigInt(destination.info.id),
    pad(recipient),
    concat([signature, numberToHex(item, { size: 32 })]),
  ] as const;

describe("Checkout", () => {
  it("a signed payment: sells the item, and pays the merchant once, to the unit", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const { expected, id, signature } = await order();
    await shop.viem.assertions.emit(
      checkout.write.deposit(purchase({ id, signature }), { value: price }),
      checkout,
      "ItemSold",
    );
    await expect(emulator.request(id)).to.bePaidOnce();
    await expect(emulator.request(id)).to.leaveNothingIn([checkout]);
    expect(await destination.balanceOf(zeroAddress, merchant)).to.equal(expected);
  });

  it("one wei less than the solver signed: is refused", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const paid = checkout.write.deposit(purchase(await order()), { value: price - 1n });
    await shop.viem.assertions.revertWithCustomError(paid, checkout, "RecordNotSignedBySolver");
  });

  it("an item of another price: is refused", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const paid = checkout.write.deposit(purchase(await order(), 1n), { value: price });
    await shop.viem.assertions.revertWithCustomErrorWithArgs(paid, checkout, "PriceMismatch", [
      price,
      2n * price,
    ]);
  });

  it("a payment signed for another recipient: is refused", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const other = "0x0000000000000000000000000000000000000bad";
    const paid = checkout.write.deposit(purchase(await order(other), 0n, other), { value: price });
    await shop.viem.assertions.revertWithCustomErrorWithArgs(paid, checkout, "RecipientNotMerchant", [
      BigInt(destination.info.id),
      pad(other),
    ]);
  });

  it("the same payment twice: is refused the second time", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const { id, signature } = await order();
    await checkout.write.deposit(purchase({ id, signature }), { value: price });
    const again = checkout.write.deposit(purchase({ id, signature }), { value: price });
    await shop.viem.assertions.revertWithCustomErrorWithArgs(again, checkout, "RequestAlreadyConsumed", [id]);
    await expect(emulator.request(id)).to.bePaidOnce();
  });

  it("a merchant who cannot be paid: the customer is refunded", async () => {
    const checkout = await emulator.loadFixture(deploy);
    const { id, signature } = await order();
    emulator.control.faults.add({ failReason: "TRANSACTION_REVERTED", kind: "fill-fails" });
    await checkout.write.deposit(purchase({ id, signature }), { value: price });
    await expect(emulator.request(id)).to.refundWith("TRANSACTION_REVERTED");
    expect(await destination.balanceOf(zeroAddress, merchant)).to.equal(0n);
  });
});
