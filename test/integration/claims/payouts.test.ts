import { expect } from "chai";
import { zeroAddress } from "viem";
import { getStatus, type Quote, submitSignature } from "../../../src/client/index.ts";
import type { RequestRecord } from "../../../src/schema/record/requestV3.ts";
import {
  amountsOf,
  balanceOf,
  claimIdOf,
  earn,
  signClaim,
  startClaim,
} from "../../helpers/appFees/claims.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { signQuote } from "../../helpers/quotes/permits.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("a claim of app fees", () => {
  const fixture = useEmulator();
  const wallet = () => fixture.alpha.wallet(5).account;

  // @spec endpoints/claim-app-fees
  it("pays the whole balance less gas to the recipient once the wallet has signed, to the unit", async () => {
    const { alpha, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const held = await balanceOf(fixture, address);
    const recipient = fresh();
    const claim = await startClaim(fixture, address, { recipient });
    const { amount, payout } = amountsOf(claim);
    expect(amount).to.equal(held);
    expect(payout > 0n && payout < amount).to.equal(true);
    expect(await balanceOf(fixture, address)).to.equal(held);
    const answer = await signClaim(fixture, claim, wallet());
    expect(answer).to.deep.equal({ body: { message: "Success" }, status: 200 });
    expect(await balanceOf(fixture, address)).to.equal(0n);
    const history = await reached(emulator, claimIdOf(claim), "success", "failure");
    expect(history.events.map(({ trigger }) => trigger)).to.deep.equal([
      "quoted",
      "claim-signed",
      "fill-submitted",
      "fill-succeeded",
    ]);
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(payout);
    expect(history.deposits).to.deep.equal([]);
  });

  it("is paid in another currency on another chain, at present prices, and leaves the rest", async () => {
    const { beta, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const before = await balanceOf(fixture, address);
    const recipient = fresh();
    const amount = 4_000_000_000_000_001n;
    const place = { chainId: beta.info.id, currency: zeroAddress };
    const claim = await startClaim(fixture, address, { ...place, amount, recipient });
    await signClaim(fixture, claim, wallet());
    await reached(emulator, claimIdOf(claim), "success", "failure");
    const { payout } = amountsOf(claim);
    expect(await beta.balanceOf(zeroAddress, recipient)).to.equal(payout);
    // 0.004 ETH at 2,500 dollars; one wei more takes one unit more.
    expect(before - (await balanceOf(fixture, address))).to.equal(10_000_001n);
  });

  it("is a request: status, record and listing show it", async () => {
    const { alpha, client, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const claim = await startClaim(fixture, address, { amount: 5_000_000n });
    const requestId = claimIdOf(claim);
    expect((await getStatus(client, { requestId })).status).to.equal("waiting");
    await signClaim(fixture, claim, wallet());
    await reached(emulator, requestId, "success", "failure");
    const { inTxHashes, txHashes, ...status } = await getStatus(client, { requestId });
    expect(inTxHashes).to.deep.equal([]);
    expect(status).to.include({ destinationChainId: alpha.info.id, status: "success" });
    const apiKey = emulator.info.apiKeys[0]?.key ?? "";
    const headers = { "x-api-key": apiKey };
    const page = await fetch(`${emulator.info.apiUrl}/requests/v3?user=${address}&id=${requestId}`, {
      headers,
    });
    const { requests } = (await page.json()) as { requests: RequestRecord[] };
    const [record] = requests;
    expect(record).to.include({
      id: requestId,
      requestType: "Send",
      status: "success",
      user: address.toLowerCase(),
    });
    expect(record?.data?.inTxs).to.deep.equal([]);
    expect(record?.data?.outTxs?.map(({ txHash }) => txHash)).to.deep.equal(txHashes);
    expect(record?.data?.triggeredByFastFill).to.equal(false);
    expect(record?.data?.route?.actual?.destination?.outputCurrency?.amount).to.equal(
      amountsOf(claim).payout.toString(),
    );
  });

  it("the library's submitSignature hands in the signature", async () => {
    const { alpha, client, emulator } = fixture;
    const { address } = wallet();
    await earn(fixture, address);
    const recipient = fresh();
    const claim = await startClaim(fixture, address, { recipient });
    const [step] = claim.steps;
    const data = step?.kind === "signature" ? step.items[0]?.data : undefined;
    if (data === undefined) throw new Error("there is nothing to sign");
    const signature = await signQuote(wallet(), claim as Quote);
    const { body, endpoint } = data.post;
    await submitSignature(client, { body, endpoint, signature });
    await reached(emulator, claimIdOf(claim), "success", "failure");
    expect(await alpha.balanceOf(alpha.currency("USDC"), recipient)).to.equal(amountsOf(claim).payout);
  });
});
