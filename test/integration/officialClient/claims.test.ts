import { createClient, type RelayClient } from "@relayprotocol/relay-sdk";
import { configureDynamicChains } from "@relayprotocol/relay-sdk/chain-utils";
import { expect } from "chai";
import { zeroAddress } from "viem";
import { balanceOf, earn } from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
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

  // @spec endpoints/claim-app-fees
  it("the whole balance has arrived when claimAppFees resolves", async () => {
    const { alpha } = fixture;
    const wallet = alpha.wallet(5);
    const { address } = wallet.account;
    await earn(fixture, address);
    const currency = alpha.currency("USDC");
    const recipient = fresh();
    const held = await balanceOf(fixture, address);
    await client.actions.claimAppFees({ chainId: alpha.info.id, currency, recipient, wallet });
    const arrived = await alpha.balanceOf(currency, recipient);
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
    await client.actions.claimAppFees({
      amount: 4_000_000_000_000_000n.toString(),
      chainId: beta.info.id,
      currency: zeroAddress,
      recipient,
      wallet,
    });
    expect((await beta.balanceOf(zeroAddress, recipient)) > 0n).to.equal(true);
    expect(held - (await balanceOf(fixture, address))).to.equal(10_000_000n);
  });
});
