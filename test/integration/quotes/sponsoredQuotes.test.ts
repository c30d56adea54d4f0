import { expect } from "chai";
import type { Quote } from "../../../src/client/index.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { quoteFor, type Wanted } from "../../helpers/quotes/intents.ts";
import { asIntegrator, newSponsor, sponsorshipOf } from "../../helpers/quotes/sponsors.ts";

const bucketNames = ["execution", "swap", "relay", "app", "rent"] as const;

describe("sponsored quotes", () => {
  const fixture = useEmulator();
  const appFees = [{ fee: "100", recipient: "0x00000000000000000000000000000000000a11ce" as const }];
  const swap: Wanted = { appFees, from: "USDC", to: "WETH" };

  async function asSponsor(wanted: Wanted, amount = 10n ** 12n): Promise<Quote> {
    const { as } = await newSponsor(fixture, amount);
    return quoteFor(as, { subsidizeFees: true, ...wanted });
  }

  /** Checks that each bucket and the totals divide exactly between sponsor and user. */
  function expectConserved(quote: Quote): void {
    const { components, sponsoredTotal, userPaysTotal } = sponsorshipOf(quote);
    let [sponsored, userPays] = [0n, 0n];
    for (const name of bucketNames) {
      const bucket = components[name];
      const [total, part, rest] = [bucket?.total, bucket?.sponsored, bucket?.userPays].map((each) =>
        BigInt(each?.amount ?? -1),
      ) as [bigint, bigint, bigint];
      expect(part + rest, name).to.equal(total);
      expect(part >= 0n && rest >= 0n, name).to.equal(true);
      sponsored += part;
      userPays += rest;
    }
    expect(sponsored).to.equal(BigInt(sponsoredTotal?.amount ?? -1));
    expect(userPays).to.equal(BigInt(userPaysTotal?.amount ?? -1));
    expect(quote.fees.subsidized?.amount).to.equal(sponsoredTotal?.amount);
  }

  it("a fixed input: the output grows, and the sponsor's part is shown as a fee and in the impacts", async () => {
    const plain = await quoteFor(fixture, swap);
    const quote = await asSponsor(swap);
    expectConserved(quote);
    expect(BigInt(quote.details.currencyOut.amount) > BigInt(plain.details.currencyOut.amount)).to.equal(
      true,
    );
    expect(quote.details.currencyIn.amount).to.equal(plain.details.currencyIn.amount);
    expect(sponsorshipOf(quote).userPaysTotal?.amount).to.equal("0");
    expect(sponsorshipOf(quote).selectedComponents).to.deep.equal(["execution", "swap", "relay", "app"]);
    expect(sponsorshipOf(quote))
      .to.include({ capHit: false })
      .and.not.have.property("maxSubsidizationAmount");
    expect(Number(quote.details.expandedPriceImpact?.sponsored?.usd)).to.equal(
      Number(quote.fees.subsidized?.amountUsd),
    );
    expect(plain).to.not.have.property("feeSponsorship");
    expect(plain.fees.subsidized?.amount).to.equal("0");
  });

  it("selected components: the others stay the user's, in any combination", async () => {
    const { as } = await newSponsor(fixture, 10n ** 12n);
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT", "EXPECTED_OUTPUT"] as const) {
      for (let mask = 0; mask < 32; mask += 3) {
        const chosen = bucketNames.filter((_, place) => (mask >> place) & 1);
        const quote = await quoteFor(as, {
          ...swap,
          sponsoredFeeComponents: chosen,
          subsidizeFees: true,
          tradeType,
        });
        expectConserved(quote);
        const { components, selectedComponents } = sponsorshipOf(quote);
        expect(selectedComponents).to.deep.equal(chosen);
        for (const name of bucketNames) {
          const isChosen = chosen.includes(name);
          expect(components[name]?.selected, name).to.equal(isChosen);
          const left = isChosen ? components[name]?.userPays : components[name]?.sponsored;
          // A fixed output leaves a unit of rounding to the service, which no sponsor owes.
          expect(BigInt(left?.amount ?? -1) <= 1n, `${tradeType} ${name} of ${chosen}`).to.equal(true);
        }
      }
    }
  });

  it("a cap: the sponsor pays up to it, the user the rest, and a cap of all fees is not hit", async () => {
    const all = BigInt((await asSponsor(swap)).fees.subsidized?.amount ?? 0);
    for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
      for (const cap of [0n, 1n, 1_000n, all / 2n]) {
        const quote = await asSponsor({ ...swap, maxSubsidizationAmount: cap.toString(), tradeType });
        expectConserved(quote);
        expect(quote.fees.subsidized?.amount).to.equal(cap.toString());
        expect(sponsorshipOf(quote)).to.include({ capHit: true, maxSubsidizationAmount: cap.toString() });
      }
    }
    const exact = await asSponsor({ ...swap, maxSubsidizationAmount: all.toString() });
    expect(sponsorshipOf(exact)).to.include({ capHit: false });
    const huge = await asSponsor({ ...swap, maxSubsidizationAmount: (2n ** 256n - 1n).toString() });
    expect(sponsorshipOf(huge)).to.include({ capHit: false });
    expect(huge.fees.subsidized?.amount).to.equal(all.toString());
  });

  it("rejects a sponsored quote without a key, by a key without a balance, and terms without `subsidizeFees`", async () => {
    const refusal = async (from: typeof fixture, wanted: Partial<Wanted>) => {
      const error = await failureOf(quoteFor(from, { ...swap, ...wanted }));
      if (!(error instanceof HttpError)) throw error;
      return [error.status, error.errorCode];
    };
    expect(await refusal(fixture, { subsidizeFees: true })).to.deep.equal([401, "UNAUTHORIZED"]);
    const { id, key } = await fixture.emulator.control.keys.create({ name: "no sponsor" });
    const { as } = await newSponsor(fixture, 0n);
    const other = asIntegrator(fixture, key);
    expect(await refusal(other, { subsidizeFees: true })).to.deep.equal([403, "FORBIDDEN"]);
    expect(await fixture.emulator.control.sponsors.get(id)).to.equal(undefined);
    const unsupported = [400, "UNSUPPORTED_EXECUTION_TYPE"];
    expect(await refusal(as, { maxSubsidizationAmount: "1" })).to.deep.equal(unsupported);
    expect(await refusal(as, { sponsoredFeeComponents: ["app"] })).to.deep.equal(unsupported);
    const unknown = { sponsoredFeeComponents: ["everything" as never], subsidizeFees: true };
    expect(await refusal(as, unknown)).to.deep.equal(unsupported);
    for (const maxSubsidizationAmount of ["-1", "1.5", (2n ** 256n).toString()]) {
      const answer = await fetch(`${fixture.emulator.info.apiUrl}/quote/v2`, {
        body: JSON.stringify({ maxSubsidizationAmount, subsidizeFees: true }),
        headers: { "content-type": "application/json" },
        method: "POST",
      });
      expect(answer.status, maxSubsidizationAmount).to.equal(400);
    }
  });
});
