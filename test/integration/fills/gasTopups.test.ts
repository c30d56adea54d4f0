import { expect } from "chai";
import { parseEther, zeroAddress } from "viem";
import { requestV2Schema } from "../../../src/schema/record/requestV2.ts";
import { requestSchema } from "../../../src/schema/record/requestV3.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import {
  carryOut,
  endOf,
  quoteFor,
  refusalOf,
  type TestSymbol,
  type Wanted,
} from "../../helpers/quotes/intents.ts";
import { recordOf } from "../../helpers/quotes/sponsors.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";

describe("gas top-ups", () => {
  const fixture = useEmulator();
  /** Two dollars of ether, the default. */
  const twoDollars = parseEther("0.0008");
  const tokens = ["USDC", "USDT", "WETH"] as const;

  /** Money of an account on the destination: native, and in a token. */
  async function heldBy(account: `0x${string}`, symbol: TestSymbol) {
    const { beta } = fixture;
    const [native, token] = await Promise.all([
      beta.balanceOf(zeroAddress, account),
      beta.balanceOf(beta.currency(symbol), account),
    ]);
    return { native, token };
  }

  for (const from of ["ETH", "USDC", "USDT"] as const) {
    for (const to of tokens) {
      for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
        it(`${from} to ${to}, ${tradeType}: delivers output and two dollars of gas in one transaction`, async () => {
          const recipient = fresh();
          const quote = await quoteFor(fixture, { from, recipient, to, topupGas: true, tradeType });
          const { currencyGasTopup: topup, currencyOut } = quote.details;
          expect(topup).to.include({ amount: twoDollars.toString(), amountUsd: "2.000000" });
          expect(topup?.currency).to.include({ address: zeroAddress, chainId: fixture.beta.info.id });
          const { txHashes } = await carryOut(fixture, quote);
          expect(txHashes).to.have.length(1);
          const held = await heldBy(recipient, to);
          expect(held.native).to.equal(twoDollars);
          const [quoted, least] = [currencyOut.amount, currencyOut.minimumAmount ?? "0"].map(BigInt) as [
            bigint,
            bigint,
          ];
          if (to === "USDC" && from !== "USDT") expect(held.token).to.equal(quoted);
          else expect(held.token >= least).to.equal(true);
        });
      }
    }
  }

  it("the price: the top-up costs what it is worth, out of a fixed input or on top of a fixed output", async () => {
    const bridge = { from: "USDC", to: "USDC", topupGasAmount: "5000000" } as const;
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      const [plain, more] = await Promise.all([
        quoteFor(fixture, { from: "USDC", to: "USDC", tradeType }),
        quoteFor(fixture, { ...bridge, topupGas: true, tradeType }),
      ]);
      const cost = ({ details: { currencyIn, currencyOut } }: typeof plain) =>
        BigInt(currencyIn.amount) - BigInt(currencyOut.amount);
      const gas = BigInt(more.fees.relayerGas?.amount ?? 0) - BigInt(plain.fees.relayerGas?.amount ?? 0);
      expect(cost(more) - cost(plain) - gas).to.equal(5_000_000n);
      // What the user receives in gas is no loss.
      const difference = Number(more.details.totalImpact?.usd) - Number(plain.details.totalImpact?.usd);
      expect(Math.abs(difference) <= 0.6, `${difference}`).to.equal(true);
    }
  });

  // @spec record-v3/other-features
  it("records: name the feature and the delivered top-up, in both versions", async () => {
    const quote = await quoteFor(fixture, { from: "USDC", recipient: fresh(), to: "USDC", topupGas: true });
    await carryOut(fixture, quote);
    const v3 = requestSchema.parse(await recordOf(fixture.emulator, quote, "v3"));
    expect(v3.features).to.deep.equal(["gas_top_up"]);
    expect(v3.data?.route?.actual?.destination?.currencyGasTopup?.amount).to.equal(twoDollars.toString());
    const v2 = requestV2Schema.parse(await recordOf(fixture.emulator, quote, "v2"));
    expect(v2.data?.metadata?.currencyGasTopup?.amount).to.equal(twoDollars.toString());
    const { actual } = v3.data?.fees ?? {};
    const sum = [actual?.app, actual?.execution, actual?.platform, actual?.sponsored, actual?.swap].reduce(
      (all, each) => all + Number(each?.usd),
      0,
    );
    const { currencyIn, currencyOut } = quote.details;
    const difference = sum - (Number(currencyOut.amountUsd) + 2 - Number(currencyIn.amountUsd));
    expect(Math.abs(difference) <= 1e-5, `${difference}`).to.equal(true);
  });

  it("a recipient that rejects native currency: the quote is rejected, and a later rejection refunds all", async () => {
    const { alpha, beta } = fixture;
    const [early, late] = [fresh(), fresh()];
    await setCode(beta, early, reverting);
    const wanted = { from: "USDC", to: "USDC", topupGas: true } as const;
    expect(
      await refusalOf(fixture, { ...wanted, recipient: early }).catch((error: Error) => error.message),
    ).to.include("DESTINATION_TX_FAILED");
    const quote = await quoteFor(fixture, { ...wanted, recipient: late });
    await setCode(beta, late, reverting);
    const user = alpha.wallet(0).account.address;
    const before = await alpha.balanceOf(alpha.currency("USDC"), user);
    const status = await endOf(fixture, quote);
    expect(status).to.include({ failReason: "DESTINATION_TOKEN_TRANSFER_REJECTED", status: "refund" });
    expect(await heldBy(late, "USDC")).to.deep.equal({ native: 0n, token: 0n });
    const lost = before - (await alpha.balanceOf(alpha.currency("USDC"), user));
    expect(lost < 2_000_000n, "the refund is less gas alone").to.equal(true);
  });

  it("rejects a top-up of native output, on one chain, above twenty dollars, and an amount without `topupGas`", async () => {
    const cases: readonly Wanted[] = [
      { from: "USDC", to: "ETH", topupGas: true },
      { from: "USDC", sameChain: true, to: "USDT", topupGas: true },
      { from: "USDC", to: "USDC", topupGas: true, topupGasAmount: "20000001" },
      { from: "USDC", to: "USDC", topupGas: true, topupGasAmount: (2n ** 256n - 1n).toString() },
      { from: "USDC", to: "USDC", topupGasAmount: "1" },
    ];
    for (const wanted of cases) {
      expect(await refusalOf(fixture, wanted), JSON.stringify(wanted)).to.equal("UNSUPPORTED_EXECUTION_TYPE");
    }
    await quoteFor(fixture, { from: "USDC", to: "USDC", topupGas: true, topupGasAmount: "20000000" });
    const none = await quoteFor(fixture, { from: "USDC", to: "USDC", topupGas: true, topupGasAmount: "0" });
    expect(none.details).to.not.have.property("currencyGasTopup");
    const tiny = { amount: 1_000_000n, from: "USDC", to: "USDC", topupGas: true } as const;
    expect(await refusalOf(fixture, tiny)).to.equal("AMOUNT_TOO_LOW");
  });
});
