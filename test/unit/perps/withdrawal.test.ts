import { expect } from "chai";
import { verifyTypedData } from "ethers";
import { authorize } from "../../../src/client/authorize.ts";
import { checkExchangeNonce } from "../../../src/perps/nonce.ts";
import { recoverNonceMappingSigner } from "../../../src/perps/nonceMapping.ts";
import { exchangeDeposit, exchangeWithdrawal } from "../../../src/perps/quoteParameters.ts";
import { type ReadWithdrawalParameters, readWithdrawal } from "../../../src/perps/readWithdrawal.ts";
import { sendAssetTypedData } from "../../../src/perps/sendAsset.ts";
import { type ExchangeSigner, signWithdrawal } from "../../../src/perps/signWithdrawal.ts";
import { markProven, type Withdrawal } from "../../../src/perps/Withdrawal.ts";
import { WithdrawalInvalidError } from "../../../src/perps/WithdrawalInvalidError.ts";
import { quoteRequestSchema } from "../../../src/schema/quote/quoteRequest.ts";
import { fakeService, json, rejectionOf } from "../client/support/fakeService.ts";
import { expectInvalid } from "../records/support/typedFailure.ts";
import {
  account,
  bentQuote,
  nonce,
  now,
  orderId,
  sending,
  solver,
  stranger,
  withdrawalQuote,
} from "./support/withdrawal.ts";

const authorizeData = "steps.0.items.0.data";
const depositData = "steps.1.items.0.data";

function read(change: Partial<ReadWithdrawalParameters> = {}) {
  return readWithdrawal({ chainId: 8453, now, quote: withdrawalQuote(), ...change });
}

/** Faults of a quote, with their paths. */
function faultOf(change: Partial<ReadWithdrawalParameters>): [string, string] {
  try {
    read(change);
  } catch (error) {
    if (error instanceof WithdrawalInvalidError) return [error.fault, error.path.replace(/^quote\./, "")];
    throw error;
  }
  throw new Error("nothing was thrown");
}

describe("the parameters of a quote with the exchange", () => {
  // @spec perps/deposit perps/chain-id
  it("say where the money goes for a deposit, and are what the service takes", () => {
    const given = {
      amount: 10_000_000n,
      originChainId: 8453,
      originCurrency: solver,
      recipient: account.address,
      referrer: "app",
      user: stranger.address,
    } as const;
    const parameters = exchangeDeposit(given);
    const destination = { destinationChainId: 1337, destinationCurrency: `0x${"00".repeat(16)}` };
    expect(parameters).to.deep.equal({ ...given, ...destination, tradeType: "EXACT_INPUT" });
    expect(quoteRequestSchema.safeParse({ ...parameters, amount: "1" }).success).to.equal(true);
  });

  // @spec perps/withdrawal perps/chain-id quote-request/protocol-version
  it("ask for version 2 of the protocol for a withdrawal, whose user is the account on the exchange", () => {
    const tokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";
    const given = {
      amount: 1n,
      destinationChainId: 8453,
      destinationCurrency: solver,
      recipient: stranger.address,
      tradeType: "EXACT_OUTPUT",
      user: account.address,
    } as const;
    const currency = { kind: "market", market: "xyz", tokenId } as const;
    const origin = { originChainId: 1337, originCurrency: `${tokenId}78797a`, protocolVersion: "v2" };
    expect(exchangeWithdrawal({ ...given, currency })).to.deep.equal({ ...given, ...origin });
  });

  it("a deposit to the zero address: is refused by name", () => {
    const given = { amount: 1n, originChainId: 1, originCurrency: solver, user: solver } as const;
    expectInvalid(() => exchangeDeposit({ ...given, recipient: `0x${"00".repeat(20)}` }), "recipient");
  });
});

describe("checkExchangeNonce", () => {
  it("accepts a nonce between two days before the time and one day after it", () => {
    const day = 86_400_000;
    const verdicts = [-2 * day, -2 * day + 1, 0, day - 1, day].map(
      (offset) => checkExchangeNonce({ nonce: BigInt(now + offset), now }).verdict,
    );
    expect(verdicts).to.deep.equal(["too-old", "ok", "ok", "ok", "too-new"]);
    expectInvalid(() => checkExchangeNonce({ nonce: 1n, now: Number.NaN }), "now");
    expectInvalid(
      () => checkExchangeNonce({ nonce: 1 as unknown as bigint, now: "1" as unknown as number }),
      "now",
    );
  });
});

describe("readWithdrawal", () => {
  // @spec perps/mapping-chain perps/mapping-domain step/exchange
  it("finds both signatures with one nonce, and puts the wallet's chain into both", () => {
    const withdrawal = read();
    expect(withdrawal).to.deep.include({ chainId: 8453, nonce: BigInt(nonce), orderId });
    expect(withdrawal.authorize.endpoint).to.equal("/authorize");
    expect(withdrawal.authorize.mapping).to.deep.include({ chainId: 8453, nonce: BigInt(nonce), orderId });
    expect(withdrawal.deposit.parameters).to.deep.equal(sending);
    expect(read({ chainId: undefined }).chainId).to.equal(1);
  });

  // @spec perps/same-nonce
  it("refuses a nonce that differs in any of its four places", () => {
    const places = [
      `${authorizeData}.post.body.nonce`,
      `${depositData}.action.parameters.nonce`,
      `${depositData}.nonce`,
    ];
    for (const place of places) {
      const [fault, path] = faultOf({ quote: bentQuote(place, nonce + 1) });
      expect([fault, path.replaceAll(/\[(\d)\]/g, ".$1")]).to.deep.equal(["nonce-mismatch", place]);
    }
    const [fault] = faultOf({ quote: bentQuote(`${authorizeData}.sign.value.nonce`, nonce + 1) });
    expect(fault).to.equal("nonce-mismatch");
  });

  it("refuses a nonce outside the exchange's window", () => {
    const day = 86_400_000;
    expect(faultOf({ now: nonce + 2 * day })[0]).to.equal("nonce-too-old");
    expect(faultOf({ now: nonce - day })[0]).to.equal("nonce-too-new");
    expect(read({ now: nonce + 2 * day - 1 }).nonce).to.equal(BigInt(nonce));
  });

  it("refuses another wallet, order or amount, by its place", () => {
    const other = `0x${"0e".repeat(32)}`;
    const cases: readonly (readonly [string, Partial<ReadWithdrawalParameters>])[] = [
      ["wallet-mismatch", { quote: bentQuote(`${authorizeData}.post.body.wallet`, stranger.address) }],
      ["wallet-mismatch", { quote: bentQuote(`${authorizeData}.post.body.depositor`, stranger.address) }],
      ["wallet-mismatch", { quote: bentQuote(`${authorizeData}.sign.value.wallet`, stranger.address) }],
      ["order-mismatch", { quote: bentQuote(`${authorizeData}.post.body.id`, other) }],
      ["order-mismatch", { quote: bentQuote(`${authorizeData}.sign.value.id`, other) }],
      ["amount-mismatch", { quote: bentQuote(`${depositData}.action.parameters.amount`, "25.50000001") }],
      ["amount-mismatch", { quote: bentQuote("details.currencyIn.amount", "2549999999") }],
    ];
    for (const [fault, change] of cases) expect(faultOf(change)[0]).to.equal(fault);
  });

  // @spec perps/mapping-domain perps/mapping-type perps/send-asset perps/action-types
  it("refuses unknown typed data, whose effect is unknown", () => {
    const cases: readonly (readonly [string, unknown])[] = [
      [`${authorizeData}.sign.domain.name`, "Permit2"],
      [`${authorizeData}.sign.domain.version`, "1"],
      [`${authorizeData}.sign.domain.verifyingContract`, solver],
      [`${authorizeData}.sign.primaryType`, "Permit"],
      [`${authorizeData}.sign.types.NonceMapping`, [{ name: "chainId", type: "string" }]],
      [`${authorizeData}.sign.value.chainId`, "base"],
      [`${authorizeData}.post.body.walletChainId`, 1],
      [`${depositData}.action.type`, "usdSend"],
      [`${depositData}.eip712PrimaryType`, "HyperliquidTransaction:UsdSend"],
      [`${depositData}.eip712Types`, {}],
    ];
    for (const [place, value] of cases)
      expect(faultOf({ quote: bentQuote(place, value) })[0], place).to.equal("typed-data");
  });

  // @spec perps/two-steps
  it("refuses anything but the two steps in their order", () => {
    const { steps } = withdrawalQuote();
    const cases: readonly (readonly unknown[])[] = [
      [],
      steps.slice(0, 1),
      [...steps].reverse(),
      [...steps, steps[1]],
      [{ ...(steps[0] as object), kind: "transaction" }, steps[1]],
      [steps[0], { ...(steps[1] as object), items: [] }],
      [null, steps[1]],
    ];
    for (const wrong of cases) expect(faultOf({ quote: { steps: wrong } })[0]).to.equal("steps");
  });
});

describe("signWithdrawal", () => {
  const proven = () => markProven(read());

  // @spec perps/sign-message perps/sign-domain perps/mapping-chain perps/submit
  it("signs both halves so that another library recovers the wallet, for the wallet's chain", async () => {
    const signed = await signWithdrawal({ account, withdrawal: proven() });
    const { body, signature } = signed.authorize;
    expect(body).to.deep.include({ nonce, signatureChainId: 8453 });
    const mapping = { ...read().authorize.mapping, signature };
    expect(await recoverNonceMappingSigner(mapping)).to.equal(account.address);
    const { action, nonce: posted, signature: parts } = signed.deposit;
    expect(posted).to.equal(body.nonce);
    expect(action).to.deep.equal({ ...sending, signatureChainId: "0x2105", type: "sendAsset" });
    const { domain, primaryType, types } = sendAssetTypedData({ chainId: 8453, parameters: sending });
    const members = { [primaryType]: [...(types[primaryType] ?? [])] };
    expect(verifyTypedData(domain, members, action, parts)).to.equal(account.address);
  });

  // @spec perps/authorize-body perps/authorize-signature
  it("makes a first half that the client submits unchanged", async () => {
    const { calls, client } = fakeService([json({ message: "Success" })]);
    const { body, endpoint, signature } = (await signWithdrawal({ account, withdrawal: proven() })).authorize;
    await authorize(client, { ...body, signature });
    expect(calls[0]).to.deep.include({ body, pathname: endpoint, query: { signature } });
  });

  const liar: ExchangeSigner = {
    address: account.address,
    signTypedData: (data) => stranger.signTypedData(data),
  };
  for (const [what, signing] of [
    ["another account", stranger],
    ["an account that signs as another", liar],
  ] as const) {
    it(`refuses ${what}: signer-mismatch`, async () => {
      const work = signWithdrawal({ account: signing, withdrawal: proven() });
      expect(await rejectionOf(work)).to.have.property("fault", "signer-mismatch");
    });
  }

  for (const [what, withdrawal] of [
    ["read from a quote and not proven", read()],
    ["made by hand", { ...proven(), nonce: 1n }],
    ["copied", structuredClone(proven())],
  ] as const) {
    it(`refuses a withdrawal that was ${what}, before it asks for a signature`, async () => {
      const asked: unknown[] = [];
      const signTypedData = async (data: unknown) => asked.push(data) as never;
      const unproven = { account: { ...account, signTypedData }, withdrawal: withdrawal as Withdrawal };
      const error = await rejectionOf(signWithdrawal(unproven));
      expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "withdrawal" });
      expect(asked).to.deep.equal([]);
    });
  }

  it("keeps a proven withdrawal from being changed, in every part that is signed", () => {
    const withdrawal = proven();
    const { authorize, deposit } = withdrawal;
    for (const part of [withdrawal, authorize, authorize.mapping, deposit, deposit.parameters]) {
      expect(part).to.satisfy(Object.isFrozen);
    }
  });

  it("accepts a signature with a `v` of 0 or 1, and passes on a wallet's error", async () => {
    const plain: ExchangeSigner = {
      address: account.address,
      signTypedData: async (data) => {
        const signature = await account.signTypedData(data);
        return `0x${signature.slice(2, -2)}0${Number.parseInt(signature.slice(-2), 16) - 27}`;
      },
    };
    expect(await signWithdrawal({ account: plain, withdrawal: proven() })).to.deep.equal(
      await signWithdrawal({ account, withdrawal: proven() }),
    );
    const refusing = { address: account.address, signTypedData: () => Promise.reject(new Error("rejected")) };
    const error = await rejectionOf(signWithdrawal({ account: refusing, withdrawal: proven() }));
    expect(String(error)).to.include("rejected");
  });
});
