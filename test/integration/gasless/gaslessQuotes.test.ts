import { expect } from "chai";
import { type Hex, toHex, zeroHash } from "viem";
import { type GetQuoteParameters, getStatus, type Quote } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import {
  authorize,
  callsOf,
  gaslessBody,
  onWire,
  postExecute,
  signBatch,
  unfundedUser,
} from "../../helpers/quotes/gasless.ts";
import {
  carryOut,
  fiftyDollars,
  finalStatus,
  quoteFor,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
  type Wanted,
} from "../../helpers/quotes/intents.ts";

const pair = { from: "USDC", to: "USDC" } as const;

describe("quotes of payments that the service sends", () => {
  const fixture = useEmulator();

  const gasOf = (quote: Quote) => BigInt(quote.fees?.relayerGas?.amount ?? -1);
  /** Smallest units of USDC that gas costs on alpha: one native coin costs `ethUsd` dollars. */
  async function priceOf(gas: bigint): Promise<bigint> {
    const { alpha } = fixture;
    const { baseFeePerGas } = await alpha.reader.getBlock();
    const { currencyIn } = (await quoteFor(fixture, { from: "ETH", to: "ETH" })).details;
    const microDollars = BigInt(Math.round(Number(currencyIn?.amountUsd) * 1e6));
    return (gas * ((baseFeePerGas ?? 0n) + 10n ** 9n) * microDollars) / BigInt(currencyIn?.amount ?? 1);
  }

  async function expectCost(actual: bigint, gas: bigint): Promise<void> {
    const expected = await priceOf(gas);
    // Fees are rounded to a unit, and the base fee moves between the quotes.
    const difference = Math.abs(Number(actual - expected));
    expect(difference <= Number(expected) / 10 + 2, `${actual}, not ${expected}`).to.equal(true);
  }

  it("originGasOverhead: adds the deposit's gas and the overhead to the fees, and the user pays no gas", async () => {
    const plain = await quoteFor(fixture, pair);
    const gasless = await quoteFor(fixture, { ...pair, originGasOverhead: 80_000 });
    await expectCost(gasOf(gasless) - gasOf(plain), 330_000n);
    expect(plain.fees?.gas?.amount).to.not.equal("0");
    expect(gasless.fees?.gas?.amount).to.equal("0");
    const out = (quote: Quote) => BigInt(quote.details.currencyOut?.amount ?? 0);
    expect(out(gasless)).to.be.lessThan(out(plain));
  });

  for (const sameChain of [false, true]) {
    it(`a quote with originGasOverhead, ${sameChain ? "on one chain" : "across chains"}: is paid by gasless calls to the unit`, async () => {
      const { alpha, beta } = fixture;
      const user = unfundedUser(sameChain ? 301 : 302);
      const data = erc20Data("transfer", user.address, fiftyDollars("USDC"));
      await sendAs(alpha, 0, { data, to: alpha.currency("USDC") });
      const wanted: Wanted = {
        from: "USDC",
        originGasOverhead: 80_000,
        sameChain,
        to: "WETH",
        user: user.address,
      };
      const quote = await quoteFor(fixture, wanted);
      const target = sameChain ? alpha : beta;
      const had = await target.balanceOf(target.currency("WETH"), recipient);
      const requestId = requestIdOf(quote);
      await postExecute(fixture, await gaslessBody(user, alpha, callsOf(quote), { requestId }));
      expect((await finalStatus(fixture, requestId)).status).to.equal("success");
      const gained = (await target.balanceOf(target.currency("WETH"), recipient)) - had;
      expect(gained.toString()).to.equal(quote.details.currencyOut?.amount);
    });
  }

  /** A quote whose call runs a signed batch of an account that its authorization delegates on beta. */
  let accounts = 310;
  async function delegated(changes: { chainId?: number } = {}) {
    const { beta } = fixture;
    const account = unfundedUser(accounts++);
    const send = { data: erc20Data("transfer", recipient, 5n), to: beta.currency("USDC"), value: 0n };
    const execute = await signBatch(account, beta.info.id, [send]);
    const authorization = onWire(await authorize(account, beta, changes));
    const wanted: Partial<GetQuoteParameters> = {
      authorizationList: [authorization],
      txs: [
        { data: erc20Data("transfer", account.address, 5n), to: beta.currency("USDC"), value: "0" },
        { data: execute, to: account.address, value: "0" },
      ],
    };
    return { account, beta, wanted };
  }

  it("authorizationList: is carried by the fill, which makes the calls of the delegated account", async () => {
    const { account, beta, wanted } = await delegated();
    const had = await beta.balanceOf(beta.currency("USDC"), recipient);
    const quote = await quoteFor(fixture, { ...pair, ...wanted });
    const { status } = await carryOut(fixture, quote);
    expect(status).to.equal("success");
    expect(await beta.reader.getCode({ address: account.address })).to.match(/^0xef0100/);
    const gained = (await beta.balanceOf(beta.currency("USDC"), recipient)) - had;
    expect(gained >= 5n).to.equal(true);
    expect(await beta.balanceOf(beta.currency("USDC"), account.address)).to.equal(0n);
    const { txHashes = [] } = await getStatus(fixture.client, { requestId: requestIdOf(quote) });
    const fill = await beta.reader.getTransaction({ hash: txHashes[0] as Hex });
    expect(fill.type).to.equal("eip7702");
  });

  it("an authorization that the chain would skip: is refused with INVALID_EXTRA_TXS, and nothing can be paid", async () => {
    const { account, beta, wanted } = await delegated();
    const [valid] = wanted.authorizationList ?? [];
    if (valid === undefined) throw new Error("there is no authorization");
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const stranger = onWire(await authorize(unfundedUser(304), beta));
    const nonce = await beta.reader.getTransactionCount({ address: account.address });
    const skipped = [
      ["a high s", { ...valid, s: toHex(order - BigInt(valid.s), { size: 32 }), yParity: 1 - valid.yParity }],
      ["an s of zero", { ...valid, s: zeroHash }],
      ["another signer's", stranger],
      ["changed after the signature", { ...valid, address: beta.currency("USDC") }],
      ["a later nonce", onWire(await authorize(account, beta, { nonce: nonce + 2 }))],
    ] as const;
    for (const [title, authorization] of skipped) {
      const lists = [[authorization], [valid, authorization]];
      for (const authorizationList of lists) {
        expect(await refusalOf(fixture, { ...pair, ...wanted, authorizationList }), title).to.equal(
          "INVALID_EXTRA_TXS",
        );
      }
    }
    const next = onWire(await authorize(account, beta, { nonce: nonce + 1 }));
    await quoteFor(fixture, { ...pair, ...wanted, authorizationList: [valid, next] });
  });

  it("calls above 128 KiB: are refused with INVALID_EXTRA_TXS, as no node takes the fill", async () => {
    const call = { data: `0x${"00".repeat(65_000)}` as Hex, to: recipient, value: "0" };
    expect(await refusalOf(fixture, { ...pair, txs: [call, call, call] })).to.equal("INVALID_EXTRA_TXS");
    await quoteFor(fixture, { ...pair, txs: [call] });
  });
});
