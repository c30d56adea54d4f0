import { expect } from "chai";
import { formatUnits, type Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { getQuote } from "../../../src/client/index.ts";
import { createQuoteGuard } from "../../../src/guard/index.ts";
import {
  type ExchangeCurrency,
  type ExchangeWithdrawalParameters,
  signWithdrawal,
  verifyWithdrawal,
} from "../../../src/perps/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { ended, postAction, postMapping, signer, withdrawn } from "../../helpers/perps.ts";
import { put } from "../../helpers/put.ts";
import {
  authorizeData,
  depositData,
  orderPath,
  provable,
  recipient,
  refusal,
  signAgain,
  userOf,
  withdrawalOf,
} from "../../helpers/withdrawalProof.ts";

const attacker = mnemonicToAccount("test test test test test test test test test test test junk", {
  addressIndex: 9,
});
const other = `0x${"0e".repeat(32)}` as const;
describe("verifyWithdrawal against a hostile service", () => {
  const fixture = useEmulator({ perps: true });
  const user = () => userOf(fixture);
  const given = (changes: Partial<ExchangeWithdrawalParameters> = {}) => provable(fixture, changes);

  for (const [what, currency, amount, decimals] of [
    ["the perps account", { kind: "perps" }, withdrawn, undefined],
    [
      "a market",
      { kind: "market", market: "xyz", tokenId: "0x6d1e7cde53ba9467b783cb7c530ce054" },
      withdrawn,
      undefined,
    ],
    [
      "the spot account",
      { kind: "spot", tokenId: "0x6d1e7cde53ba9467b783cb7c530ce054" },
      withdrawn,
      undefined,
    ],
    ["spot ether", { kind: "spot", tokenId: "0xe1edd30daaf5caac3fe63569e24748da" }, 10n ** 7n, 9],
  ] as const satisfies readonly (readonly [string, ExchangeCurrency, bigint, number | undefined])[]) {
    it(`proves an honest withdrawal from ${what}, which arrives at its recipient`, async () => {
      const parameters = { ...(await given({ amount, currency })), decimals, minimumOutput: 1_000_000n };
      const withdrawal = await verifyWithdrawal(parameters);
      const { beta } = fixture;
      const before = await beta.balanceOf(beta.currency("USDC"), recipient);
      const signed = await signWithdrawal({ account: signer(fixture), withdrawal });
      await postMapping(fixture, signed.authorize);
      await postAction(fixture, signed.deposit);
      await ended(fixture, parameters.quote);
      const arrived = (await beta.balanceOf(beta.currency("USDC"), recipient)) - before;
      expect(arrived >= 1_000_000n).to.equal(true);
    });
  }

  it("proves a fixed output up to the caller's maximum input, and rejects one unit above it", async () => {
    const parameters = await given({ amount: 20_000_000n, tradeType: "EXACT_OUTPUT" });
    const paid = BigInt(parameters.quote.details.currencyIn.amount);
    const { minimumOutput: _, ...unbounded } = parameters;
    expect((await verifyWithdrawal({ ...unbounded, maximumInput: paid })).wallet).to.equal(user());
    expect(await refusal({ ...unbounded, maximumInput: paid - 1n })).to.equal("QUOTE_AMOUNT");
    expect(await refusal(unbounded)).to.equal("QUOTE_BOUNDS");
  });

  it("rejects a fixed input without a bound, and one unit below the minimum output", async () => {
    const { minimumOutput: _, ...parameters } = await given();
    const minimum = BigInt(parameters.quote.details.currencyOut.minimumAmount ?? 0);
    expect(await refusal(parameters)).to.equal("QUOTE_BOUNDS");
    expect((await verifyWithdrawal({ ...parameters, minimumOutput: minimum })).wallet).to.equal(user());
    expect(await refusal({ ...parameters, minimumOutput: minimum + 1n })).to.include("QUOTE_OUTPUT");
    expect((await verifyWithdrawal({ ...parameters, bounds: "none" })).wallet).to.equal(user());
  });

  it("rejects calls that leave the output on the public router, from which anyone takes it", async () => {
    const { beta } = fixture;
    const to = beta.currency("USDC");
    const data = erc20Data("transfer", recipient, 7n) as Hex;
    expect(await refusal(await given({ txs: [{ data, to, value: 0n }] }))).to.equal("QUOTE_CALLS");
  });

  it("has in the guard the policy's reader, and by both its slippage: decimals and a minimum that differ are rejected", async () => {
    const shown = await given();
    put(shown.quote, "details.currencyOut.currency.decimals", 4);
    const { amount } = shown.quote.details.currencyOut;
    put(shown.quote, "details.currencyOut.amountFormatted", formatUnits(BigInt(amount), 4));
    const slipped = await given();
    put(slipped.quote, "details.currencyOut.minimumAmount", `${(BigInt(amount) * 92n) / 100n}`);
    for (const [parameters, policy] of [
      [shown, { destinationReader: fixture.beta.reader }],
      [slipped, { maximumSlippage: 50, minimumOutput: 1n }],
    ] as const) {
      const { minimumOutput, now = 0, quote, request, trust } = parameters;
      if (parameters === slipped)
        expect(await refusal({ ...parameters, ...policy })).to.equal("QUOTE_OUTPUT");
      const guard = createQuoteGuard({ now: () => now, policy: { minimumOutput, trust, ...policy } });
      expect(await guard.add({ quote, request })).to.include({ isProven: false });
    }
  });

  it("rejects the genuine quote of another request: recipient, currency, chain, account, amount", async () => {
    const parameters = await given();
    const { alpha } = fixture;
    const native = "0x0000000000000000000000000000000000000000";
    const foreign: readonly (readonly [string, Partial<ExchangeWithdrawalParameters>])[] = [
      ["QUOTE_RECIPIENT", { recipient: attacker.address }],
      ["QUOTE_CURRENCY", { destinationCurrency: native }],
      ["QUOTE_CHAIN", { destinationChainId: alpha.info.id, destinationCurrency: alpha.currency("USDC") }],
      ["QUOTE_SENDER", { user: attacker.address }],
      ["QUOTE_AMOUNT", { amount: withdrawn * 2n }],
      ["QUOTE_REFUND", { refundTo: attacker.address }],
      ["QUOTE_CALLS", { txs: [{ data: "0x", to: recipient, value: 0n }] }],
    ];
    for (const [code, changes] of foreign) {
      const quote = await getQuote(fixture.client, withdrawalOf(fixture, changes));
      expect(await refusal({ ...parameters, quote }), code).to.include(code);
      // The service lies about what it shows, too.
      const shown = { ...quote, details: parameters.quote.details };
      const found = await refusal({ ...parameters, quote: shown });
      expect(found, code).to.match(/QUOTE_|mismatch/);
    }
  });

  it("rejects another order under the solver's signature, and an order of an attacker who signs it", async () => {
    const changes: readonly (readonly [string, string, unknown])[] = [
      ["QUOTE_RECIPIENT", `${orderPath}.output.payments.0.recipient`, attacker.address.toLowerCase()],
      ["QUOTE_OUTPUT", `${orderPath}.output.payments.0.minimumAmount`, "1"],
      ["QUOTE_CURRENCY", `${orderPath}.inputs.0.payment.currency`, `0x${"77".repeat(16)}`],
      ["QUOTE_REFUND", `${orderPath}.inputs.0.refunds.0.recipient`, attacker.address.toLowerCase()],
      ["QUOTE_SOLVER", `${orderPath}.solver`, attacker.address.toLowerCase()],
    ];
    for (const [code, path, value] of changes) {
      const parameters = await given();
      put(parameters.quote, path, value);
      expect(await refusal(parameters), path).to.include("QUOTE_ORDER_ID");
      await signAgain(parameters.quote, attacker);
      const found = await refusal(parameters);
      expect(found, path).to.include(code);
      expect(found, path).to.include("QUOTE_SOLVER");
    }
  });

  it("rejects a missing order, another signature of it, and another order's id", async () => {
    const parameters = await given();
    const { protocol: _, ...bare } = parameters.quote;
    expect(await refusal({ ...parameters, quote: bare })).to.include("QUOTE_ORDER");
    const second = await given();
    for (const [path, value, code] of [
      ["protocol.v2.orderSignature", second.quote.protocol?.v2?.orderSignature, "QUOTE_SOLVER"],
      ["protocol.v2.orderSignature", undefined, "QUOTE_SOLVER"],
      ["protocol.v2.orderData", undefined, "QUOTE_ORDER"],
      ["protocol.v2.orderId", other, "QUOTE_ORDER_ID"],
    ] as const) {
      const quote = structuredClone(parameters.quote);
      put(quote, path, value);
      expect(await refusal({ ...parameters, quote }), path).to.include(code);
    }
  });

  it("rejects the steps of another quote, whose order is paid instead", async () => {
    const [parameters, foreign] = [await given(), await given({ recipient: attacker.address })];
    const quote = { ...parameters.quote, steps: foreign.quote.steps };
    expect(await refusal({ ...parameters, quote })).to.equal("QUOTE_ORDER_ID");
    // The order's id alone is honest.
    const again = structuredClone(quote);
    put(again, "protocol.v2.orderId", foreign.quote.protocol?.v2?.orderId);
    expect(await refusal({ ...parameters, quote: again })).to.include("QUOTE_ORDER_ID");
  });

  const action = (field: string) => `${depositData}.action.${field}`;
  const parameter = (field: string) => action(`parameters.${field}`);
  const statement = (field: string) => `${authorizeData}.${field}`;
  const tokenId = "0x6d1e7cde53ba9467b783cb7c530ce054";
  for (const [what, path, value, found] of [
    ["another account on the exchange", parameter("destination"), attacker.address, "QUOTE_TARGET"],
    ["another token", parameter("token"), "ETH:0xe1edd30daaf5caac3fe63569e24748da", "QUOTE_CURRENCY"],
    ["a token without an id", parameter("token"), "USDC", "QUOTE_CURRENCY"],
    ["another name of USDC", parameter("token"), `HYPE:${tokenId}`, "QUOTE_DISPLAY"],
    ["another dex", parameter("sourceDex"), "spot", "QUOTE_CURRENCY"],
    ["another dex of the solver", parameter("destinationDex"), "xyz", "QUOTE_CURRENCY"],
    ["a sub-account", parameter("fromSubAccount"), attacker.address, "QUOTE_SENDER"],
    ["another network", parameter("hyperliquidChain"), "Testnet", "QUOTE_CHAIN"],
    ["more money", parameter("amount"), "2500", "amount-mismatch"],
    ["another nonce of the transfer", parameter("nonce"), 1_700_000_000_000, "nonce-mismatch"],
    ["another nonce of the statement", statement("sign.value.nonce"), 1_700_000_000_000, "nonce-mismatch"],
    ["another wallet's chain", statement("post.body.walletChainId"), 1, "typed-data"],
    ["another exchange", statement("sign.value.chainId"), "base", "typed-data"],
    ["another type of message", statement("sign.primaryType"), "Permit", "typed-data"],
    ["another action", action("type"), "usdSend", "typed-data"],
    [
      "another type of action",
      `${depositData}.eip712PrimaryType`,
      "HyperliquidTransaction:UsdSend",
      "typed-data",
    ],
    ["another endpoint", statement("post.endpoint"), "/permit", "QUOTE_ENDPOINT"],
    ["another order of the statement", statement("sign.value.id"), other, "order-mismatch"],
    ["another request of the second step", "steps.1.requestId", other, "QUOTE_REQUEST_ID"],
  ] as const) {
    it(`rejects ${what}, by ${found}`, async () => {
      const parameters = await given();
      put(parameters.quote, path, value);
      expect(await refusal(parameters)).to.include(found);
    });
  }

  it("rejects a depositor other than the requested account, in statement and body alike", async () => {
    const parameters = await given();
    put(parameters.quote, `${authorizeData}.sign.value.depositor`, attacker.address);
    put(parameters.quote, `${authorizeData}.post.body.depositor`, attacker.address);
    expect(await refusal(parameters)).to.equal("QUOTE_SENDER");
  });

  it("rejects decimals that make 25 dollars 2,500, with an amount that fits them", async () => {
    const parameters = await given();
    put(parameters.quote, "details.currencyIn.currency.decimals", 6);
    put(parameters.quote, "details.currencyIn.amountFormatted", "2500");
    expect(await refusal(parameters)).to.equal("QUOTE_DISPLAY");
    put(parameters.quote, `${depositData}.action.parameters.amount`, "2500");
    expect(await refusal(parameters)).to.equal("amount-mismatch");
  });

  it("ignores the quote's domain chains: both signatures are for the caller's chain", async () => {
    const parameters = await given();
    put(parameters.quote, `${authorizeData}.sign.domain.chainId`, 5);
    put(parameters.quote, `${authorizeData}.post.body.signatureChainId`, 5);
    const withdrawal = await verifyWithdrawal(parameters);
    const signedData: { domain?: { chainId?: unknown } }[] = [];
    const account = signer(fixture);
    await signWithdrawal({
      account: {
        address: account.address,
        signTypedData: (data) => {
          signedData.push(data as never);
          return account.signTypedData(data);
        },
      },
      withdrawal,
    });
    const chains = signedData.map(({ domain }) => domain?.chainId);
    expect(chains).to.deep.equal([parameters.chainId, parameters.chainId]);
  });

  it("rejects solvers, accounts and chains outside the caller's trust roots", async () => {
    const parameters = await given();
    const { chains = [], solvers = [] } = parameters.trust ?? {};
    const { solver } = fixture.emulator.info;
    expect((await verifyWithdrawal({ ...parameters, solverAccounts: [solver] })).wallet).to.equal(user());
    expect(await refusal({ ...parameters, solverAccounts: [attacker.address] })).to.include("QUOTE_TARGET");
    expect(await refusal({ ...parameters, solverAccounts: [] })).to.include("QUOTE_TARGET");
    const trust = { chains, solvers: [attacker.address] };
    expect(await refusal({ ...parameters, trust })).to.include("QUOTE_SOLVER");
    expect(await refusal({ ...parameters, trust: { chains: [], solvers } })).to.include(
      "QUOTE_UNKNOWN_CHAIN",
    );
    expect(await refusal({ ...parameters, trust: undefined })).to.include("QUOTE_UNKNOWN_CHAIN");
  });

  it("proves an amount with trailing zeros, as the service writes it", async () => {
    const parameters = await given();
    put(parameters.quote, `${depositData}.action.parameters.amount`, "25.000000");
    const { deposit } = await verifyWithdrawal(parameters);
    expect(deposit.parameters.amount).to.equal("25.000000");
    put(parameters.quote, `${depositData}.action.parameters.amount`, "25.000001");
    expect(await refusal(parameters)).to.equal("amount-mismatch");
  });

  it("rejects an order that was signed for with another nonce, and proves it again with the same one", async () => {
    const parameters = await given();
    const signed = new Map([["", 0n]]);
    const signedNonce = async (orderId: string) => signed.get(orderId);
    const { nonce, orderId } = await verifyWithdrawal({ ...parameters, signedNonce });
    signed.set(orderId, nonce);
    expect((await verifyWithdrawal({ ...parameters, signedNonce })).nonce).to.equal(nonce);
    signed.set(orderId, nonce - 1n);
    expect(await refusal({ ...parameters, signedNonce })).to.equal("order-signed");
    const error = await failureOf(verifyWithdrawal({ ...parameters, signedNonce: () => null as never }));
    expect(error).to.include({ code: "INVALID_PARAMETER", parameter: "signedNonce" });
  });

  it("rejects requests that are no withdrawal, or of a token without decimals", async () => {
    const parameters = await given();
    const { request } = parameters;
    const wrong: readonly (readonly [RegExp, object])[] = [
      [/request/, { request: undefined }],
      [/request\.originChainId/, { request: { ...request, originChainId: 1 } }],
      [/request\.originCurrency/, { request: { ...request, originCurrency: `0x${"00".repeat(20)}` } }],
      [/decimals/, { request: { ...request, originCurrency: "0xe1edd30daaf5caac3fe63569e24748da" } }],
      [/decimals/, { decimals: 6 }],
    ];
    for (const [message, changes] of wrong) {
      const error = await failureOf(verifyWithdrawal({ ...parameters, ...changes }));
      expect(error).to.have.property("code", "INVALID_PARAMETER");
      expect(String((error as Error).message)).to.match(message);
    }
  });
});
