import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { newSponsor } from "../../helpers/quotes/sponsors.ts";
import { sol, svmUsdc } from "../../helpers/svm.ts";
import { quoteBodies, svm } from "../../unit/schema/support/publishedBodies.ts";

/** Bodies that another code than 200 answers: chains of virtual machines that the emulator lacks. */
const refusedBodies: Readonly<Record<string, string>> = {
  "bitcoin: by a deposit address": "UNSUPPORTED_CHAIN",
  "bitcoin: from it": "UNSUPPORTED_CHAIN",
  "bitcoin: to it": "UNSUPPORTED_CHAIN",
  "lighter: from it": "UNSUPPORTED_CHAIN",
  "lighter: to it": "UNSUPPORTED_CHAIN",
};

describe("published bodies of quotes", () => {
  const fixture = useEmulator({ chainIds: [8453, 10], perps: true, svm: true });

  /** The body with the currencies of the emulator's SVM chain. */
  const local = (body: object) =>
    JSON.stringify(body).replaceAll(svm.usdc, svmUsdc.address).replaceAll(svm.native, sol.address);

  // Fixed rates and payers of fees have tests of their own.
  const { "fee sponsorship: a fee payer": _, "price stabilization": __, ...taken } = quoteBodies;
  for (const [page, body] of Object.entries(taken)) {
    const expected = refusedBodies[page] ?? "a quote";
    it(`the body of the page "${page}": is answered with ${expected}`, async () => {
      const { key } = await newSponsor(fixture, 100_000_000n);
      const answer = await fetch(`${fixture.emulator.info.apiUrl}/quote/v2`, {
        body: local(body),
        headers: { "content-type": "application/json", "x-api-key": key },
        method: "POST",
      });
      const { errorCode, message = "", steps } = (await answer.json()) as Record<string, unknown>;
      expect(errorCode ?? (steps ? "a quote" : answer.status), String(message)).to.equal(expected);
    });
  }
});
