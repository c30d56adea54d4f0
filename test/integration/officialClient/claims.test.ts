import { createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { balanceOf, earn } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { gasSpent } from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("the service's official client claims app fees, unmodified", () => {
  let client: RelayClient;
  const fixture = useEmulator();
  before(async () => {
    client = createClient({
      baseApiUrl: fixture.emulator.info.apiUrl,
      pollingInterval: 20,
      source: "waybill.test",
    });
    await configureDynamicChains();
  });

  /** The wallet, and the amounts of the last claim that it signed. */
  function recordSigned(wallet: ReturnType<typeof fixture.alpha.wallet>) {
    let message: Record<string, unknown> = {};
    const signTypedData: typeof wallet.signTypedData = (data) => {
      message = data.message as Record<string, unknown>;
      return wallet.signTypedData(data);
    };
    const amountOf = (name: string) => BigInt(String(message[name]));
    return {
      amounts: () => ({ amount: amountOf("amount"), payout: amountOf("payout") }),
      wallet: { ...wallet, signTypedData } as typeof wallet,
    };
  }

  // @spec endpoints/claim-app-fees
  it("the whole balance has arrived when claimAppFees resolves", async () => {
    const { alpha } = fixture;
    const wallet = alpha.wallet(5);
    const { address } = wallet.account;
    await earn(fixture, address);
    const currency = alpha.currency("USDC");
    const recipient = fresh();
    const held = await balanceOf(fixture, address);
    const { solver } = fixture.emulator.info;
    const before = await alpha.balanceOf(currency, solver);
    const signing = recordSigned(wallet);
    await client.actions.claimAppFees({
      chainId: alpha.info.id,
      currency,
      recipient,
      wallet: signing.wallet,
    });
    const arrived = await alpha.balanceOf(currency, recipient);
    expect(signing.amounts()).to.deep.equal({ amount: held, payout: arrived });
    expect(before - (await alpha.balanceOf(currency, solver))).to.equal(arrived);
    expect(arrived > 0n && arrived < held).to.equal(true);
    expect(await balanceOf(fixture, address)).to.equal(0n);
  });

  it("a part has arrived in ether on the other chain, and the rest stays in the balance", async () => {
    const { alpha, beta } = fixture;
    const wallet = alpha.wallet(5);
    const { address } = wallet.account;
    await earn(fixture, address);
    const recipient = fresh();
    const held = await balanceOf(fixture, address);
    const { solver } = fixture.emulator.info;
    const before = await beta.balanceOf(zeroAddress, solver);
    const signing = recordSigned(wallet);
    await client.actions.claimAppFees({
      amount: 4_000_000_000_000_000n.toString(),
      chainId: beta.info.id,
      currency: zeroAddress,
      recipient,
      wallet: signing.wallet,
    });
    const arrived = await beta.balanceOf(zeroAddress, recipient);
    expect(arrived > 0n).to.equal(true);
    expect(signing.amounts()).to.deep.equal({ amount: 4_000_000_000_000_000n, payout: arrived });
    const spent = before - (await beta.balanceOf(zeroAddress, solver));
    const [payment] = (await beta.reader.getBlock({ includeTransactions: true })).transactions;
    expect(spent - (await gasSpent(beta, payment?.hash ?? "0x"))).to.equal(arrived);
    expect(held - (await balanceOf(fixture, address))).to.equal(10_000_000n);
  });
});
