import { trustOfEmulator } from "@waybill/emulator";
import { expect } from "chai";
import { network } from "hardhat";
import { type Address, type Hex, pad, parseEther, zeroAddress } from "viem";
import { getQuote, getSignature } from "waybill/client";
import { verifyQuote } from "waybill/execute";

const alice: Address = "0x00000000000000000000000000000000000a11ce";
const stranger: Address = "0x0000000000000000000000000000000000000bad";
const salary = parseEther("1");

const company = await network.create({ override: { chainId: 31_338 } });
const connection = await network.create();
const emulator = await connection.waybill.start({ origin: company });
const { client, destination, info, origin } = emulator;
const chainId = BigInt(destination.info.id);
const { assertions } = company.viem;
const [owner, other] = await company.viem.getWalletClients();
if (owner === undefined || other === undefined) throw new Error("two accounts are needed");

/** Alice is on the list, the stranger is not. */
const deploy = async () => {
  const payee = info.chains[0]?.contracts.relayReceiver ?? zeroAddress;
  const payroll = await company.viem.deployContract("Payroll", [owner.account.address, info.solver, payee]);
  await payroll.write.setRecipients([[{ account: pad(alice), chainId }], true]);
  return payroll;
};

const quoteSalary = async (recipient: Address) => {
  const request = {
    amount: salary,
    destinationChainId: destination.info.id,
    destinationCurrency: zeroAddress,
    originChainId: origin.info.id,
    originCurrency: zeroAddress,
    recipient,
    tradeType: "EXACT_INPUT",
    refundTo: owner.account.address,
    user: owner.account.address,
  } as const;
  const quote = await getQuote(client, request);
  // The record does not sign the output; the order of the same request does.
  await verifyQuote({ minimumOutput: parseEther("0.97"), quote, request, trust: trustOfEmulator(info) });
  const { id } = emulator.request(quote);
  const { signature } = await getSignature(client, { requestId: id });
  const call = [id, chainId, pad(recipient), signature as Hex] as const;
  return { call, expected: BigInt(quote.details.currencyOut.amount), id };
};

describe("Payroll", () => {
  it("a listed recipient: is paid once, to the unit", async () => {
    const payroll = await emulator.loadFixture(deploy);
    const { call, expected, id } = await quoteSalary(alice);
    await payroll.write.deposit(call, { value: salary });
    await expect(emulator.request(id)).to.bePaidOnce();
    await expect(emulator.request(id)).to.leaveNothingIn([payroll]);
    expect(await destination.balanceOf(zeroAddress, alice)).to.equal(expected);
  });

  it("an unlisted recipient: is refused by the policy, though the solver signed", async () => {
    const payroll = await emulator.loadFixture(deploy);
    const { call } = await quoteSalary(stranger);
    const paid = payroll.write.deposit(call, { value: salary });
    await assertions.revertWithCustomErrorWithArgs(paid, payroll, "RecipientNotAllowed", [
      chainId,
      pad(stranger),
    ]);
  });

  it("a removed recipient: is refused", async () => {
    const payroll = await emulator.loadFixture(deploy);
    const { call } = await quoteSalary(alice);
    await payroll.write.setRecipients([[{ account: pad(alice), chainId }], false]);
    await assertions.revertWithCustomError(
      payroll.write.deposit(call, { value: salary }),
      payroll,
      "RecipientNotAllowed",
    );
  });

  it("one wei less, another caller, or a second payment: is refused", async () => {
    const payroll = await emulator.loadFixture(deploy);
    const { call, id } = await quoteSalary(alice);
    const less = payroll.write.deposit(call, { value: salary - 1n });
    await assertions.revertWithCustomError(less, payroll, "RecordNotSignedBySolver");
    const byOther = payroll.write.deposit(call, { account: other.account, value: salary });
    await assertions.revertWithCustomError(byOther, payroll, "RecordNotSignedBySolver");
    await payroll.write.deposit(call, { value: salary });
    await assertions.revertWithCustomErrorWithArgs(
      payroll.write.deposit(call, { value: salary }),
      payroll,
      "RequestAlreadyConsumed",
      [id],
    );
    await expect(emulator.request(id)).to.bePaidOnce();
  });

  it("a list changed by an account that is not the owner: is refused", async () => {
    const payroll = await emulator.loadFixture(deploy);
    const change = payroll.write.setRecipients([[{ account: pad(stranger), chainId }], true], {
      account: other.account,
    });
    await assertions.revertWithCustomError(change, payroll, "Unauthorized");
  });
});
