import { expect } from "chai";
import { encodeFunctionData, type Hex, hashTypedData, parseAbi } from "viem";
import { verifyQuote } from "../../../src/calls/verifyQuote.ts";
import type { Quote } from "../../../src/client/index.ts";
import { QuoteMismatchError } from "../../../src/errors/QuoteMismatchError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { signatureOf } from "../../helpers/quotes/permits.ts";
import { orderOf, paymentOf, requestOf, strayId, transactionOf } from "../../helpers/quotes/quoteChanges.ts";
import { depositAbi, resignOrder } from "./hostileQuotes.ts";
import { quoteStage } from "./quoteStage.ts";

/** Attacks on `verifyQuote`, each by its number. */
describe("a hostile service that manipulates terms and signatures", () => {
  const fixture = useEmulator();
  const { addressOf, codesOf, quoted, robbedBy, user } = quoteStage(fixture);

  it("Q9: the deposit of a whole allowance, proven by an approval marked complete, is rejected", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy, quote } = await quoted(request);
    for (const item of quote.steps[0]?.items ?? []) Object.assign(item, { status: "complete" });
    const args = [user(), addressOf("USDC"), orderOf(quote).protocol.orderId as Hex] as const;
    paymentOf(quote).data = encodeFunctionData({ abi: depositAbi, args, functionName: "depositErc20" });
    expect(await codesOf(quote, request, policy)).to.deep.equal(["QUOTE_CALL"]);
  });

  it("Q10: an order that the solver signed again with another salt passes", async () => {
    const request = requestOf(fixture, "USDC", "USDC");
    const { policy, quote } = await quoted(request);
    await resignOrder(quote, ({ protocol }) => Object.assign(protocol?.v2?.orderData ?? {}, { salt: "7" }));
    expect(await codesOf(quote, request, policy)).to.deep.equal([]);
  });

  describe("manipulated signatures and displays", () => {
    const codesWith = async (change: (quote: Quote) => void, from: "USDC" | "ETH" = "USDC") => {
      const request = requestOf(fixture, from, "USDC", from === "USDC" ? { usePermit: true } : {});
      const { policy, quote } = await quoted(request);
      change(quote);
      return codesOf(quote, request, policy);
    };

    it("Q17: a custom domain type is rejected, and the usual one passes", async () => {
      const usual = [
        { name: "name", type: "string" },
        { name: "version", type: "string" },
        { name: "chainId", type: "uint256" },
        { name: "verifyingContract", type: "address" },
      ];
      const withDomain = (EIP712Domain: typeof usual) => (quote: Quote) =>
        Object.assign(signatureOf(quote).sign.types, { EIP712Domain });
      expect(await codesWith(withDomain(usual))).to.deep.equal([]);
      expect(await codesWith(withDomain([...usual].reverse()))).to.include("QUOTE_SIGNATURE");
      expect(await codesWith(withDomain(usual.slice(1)))).to.include("QUOTE_SIGNATURE");
    });

    it("Q18: nested fields and types outside the form, and long deadlines, are rejected", async () => {
      const later = String(Math.floor(Date.now() / 1000) + 86_400);
      const changes: readonly [string, (signed: ReturnType<typeof signatureOf>["sign"]) => object][] = [
        ["QUOTE_DEADLINE", ({ value }) => Object.assign(value, { validBefore: later })],
        ["QUOTE_SIGNATURE", ({ value }) => Object.assign(value, { extra: "1" })],
        ["QUOTE_SIGNATURE", ({ types }) => Object.assign(types, { More: [] })],
        ["QUOTE_SIGNATURE", ({ domain }) => Object.assign(domain, { salt: strayId })],
      ];
      for (const [code, change] of changes) {
        expect(await codesWith((quote) => change(signatureOf(quote).sign))).to.include(code);
      }
      const nested = (quote: Quote) => {
        const { step } = signatureOf(quote);
        Object.assign(step.items[0]?.data?.witness ?? {}, { hidden: "1" });
      };
      expect(await codesWith(nested)).to.include("QUOTE_SIGNATURE");
    });

    it("Q18: several members in the type of one, which would read as the usual text, are rejected", async () => {
      const codes = await codesWith((quote) => {
        const { sign } = signatureOf(quote);
        const members = sign.types[sign.primaryType] ?? [];
        const text = members.map(({ name, type }) => `${type} ${name}`).join();
        sign.types[sign.primaryType] = [{ name: "nonce", type: text.replace(/ nonce$/, "") }];
      });
      expect(codes).to.include("QUOTE_SIGNATURE");
    });

    it("Q18: addresses whose letter case contradicts their checksum, which no wallet signs for, are signed in that of the request", async () => {
      const wrong = (address: unknown) =>
        String(address)
          .toLowerCase()
          .replace(/[a-f]/g, (letter) => letter.toUpperCase());
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const { policy, quote } = await quoted(request);
      const { sign, step } = signatureOf(quote);
      Object.assign(sign.value, { from: wrong(quote.details.sender) });
      Object.assign(step.items[0]?.data?.witness ?? {}, { refundTo: wrong(quote.details.sender) });
      Object.assign(sign.domain, { verifyingContract: wrong(sign.domain.verifyingContract) });
      const proven = signatureOf(await verifyQuote({ ...policy, quote, request })).sign;
      expect(proven.value["from"]).to.equal(user());
      expect(proven.domain.verifyingContract).to.equal(addressOf("USDC"));
      expect(hashTypedData({ ...proven, message: proven.value } as never)).to.match(/^0x[0-9a-f]{64}$/);
    });

    it("Q18: an approval that outlives the payment, before it or in the same step, is rejected", async () => {
      const request = requestOf(fixture, "USDC", "USDC");
      const { policy, quote } = await quoted(request);
      const [approve] = quote.steps;
      if (approve === undefined) throw new Error("the quote approves nothing");
      const after = { ...quote, steps: [...quote.steps, structuredClone(approve)] };
      expect(await codesOf(after, request, policy)).to.include("QUOTE_PAYMENT");
      const late = { ...quote, steps: [...quote.steps.slice(1), structuredClone(approve)] };
      expect(await codesOf(late, request, policy)).to.deep.equal(["QUOTE_PAYMENT"]);
      const twice = { ...quote, steps: [structuredClone(approve), ...quote.steps] };
      expect(await codesOf(twice, request, policy)).to.deep.equal(["QUOTE_AMOUNT"]);
      const { permit2 } = fixture.alpha.info.contracts;
      const args = [permit2, BigInt(request.amount)] as const;
      const abi = parseAbi(["function approve(address spender, uint256 amount)"]);
      transactionOf(quote, 0).data = encodeFunctionData({ abi, args, functionName: "approve" });
      expect(await codesOf(quote, request, policy)).to.deep.equal(["QUOTE_SPENDER"]);
    });

    it("Q19: objects that cannot become text are rejected, by execute too", async () => {
      const request = requestOf(fixture, "USDC", "USDC", { usePermit: true });
      const textless = { toString: "" };
      for (const field of ["requestId", "kind"]) {
        const { policy, quote } = await quoted(request);
        const { step } = signatureOf(quote);
        Object.assign(step.items[0]?.data?.post.body ?? {}, { [field]: textless, other: textless });
        expect(await codesOf(quote, request, policy), field).not.to.deep.equal([]);
        expect(await robbedBy(quote, request, { verify: policy }), field).to.be.instanceOf(
          QuoteMismatchError,
        );
      }
    });
  });
});
