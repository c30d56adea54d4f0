import { expect } from "chai";
import { decodeFunctionData, erc20Abi, type Hex } from "viem";
import type { ScenarioRequest } from "../../../emulator/index.ts";
import { catalogue } from "../../../emulator/scenarios/catalogue.ts";
import { serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { failReasons, refundFailReasons } from "../../../src/schema/request/failReason.ts";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { type RecordData, useWitness } from "./witness.ts";

const kebab = (code: string) => code.toLowerCase().replaceAll("_", "-");
const withoutNone = (codes: readonly string[]) => codes.filter((code) => code !== "N/A");
/** Requests whose refund is for another account than the one that paid. */
const withRefundTo = ["SOLVER_BALANCE_TOO_LOW", "SOLVER_CAPACITY_EXCEEDED"];
// A deposit that names no request belongs to no API key, and a poor sponsor's request to a key of its own.
const unhooked = ["ORPHANED_DEPOSIT_REFUND", "SPONSOR_BALANCE_TOO_LOW"];

describe("scenarios", () => {
  const fixture = useEmulator({ seed: "scenarios" });
  const witness = useWitness(fixture);

  it("the list has one scenario for each status, fail reason, refund fail reason and error code, with a sentence", async () => {
    const list = await fixture.emulator.scenarios.list();
    const names = list.map(({ name }) => name);
    expect(new Set(names).size).to.equal(names.length);
    for (const status of requestStatuses) expect(names).to.include(`status/${status}`);
    for (const reason of withoutNone(failReasons)) {
      const found = names.filter((name) =>
        [`refund/${kebab(reason)}`, `failure/${kebab(reason)}`].includes(name),
      );
      expect(found, reason).to.have.length(1);
    }
    for (const reason of withoutNone(refundFailReasons)) {
      expect(names).to.include(`refund-failure/${kebab(reason)}`);
    }
    for (const code of Object.keys(serviceErrorCodes)) expect(names).to.include(`quote-error/${kebab(code)}`);
    for (const { cause, sentence } of list) {
      expect(["injected", "real"]).to.include(cause);
      expect(sentence).to.match(/^[A-Z].+\.$/);
    }
  });

  /** Expects that the solver's last transaction was mined and paid the amount of the record to the payer. */
  async function expectRefunded(
    { depositTxHash, failReason, txHashes }: ScenarioRequest,
    { refundCurrencyData }: RecordData,
  ) {
    const hash = txHashes.at(-1);
    if (hash === undefined) throw new Error("a refund without a transaction");
    for (const { reader } of [fixture.alpha, fixture.beta]) {
      const found = await reader.getTransaction({ hash }).catch(() => undefined);
      if (found === undefined) continue;
      const { input, to, value } = found;
      const [payee, amount] =
        value > 0n ? [to, value] : (decodeFunctionData({ abi: erc20Abi, data: input }).args ?? []);
      expect(`${amount}`).to.equal(refundCurrencyData?.amount);
      if (!withRefundTo.includes(failReason ?? "")) {
        const paid = await reader.getTransaction({ hash: depositTxHash as Hex });
        expect(`${payee}`.toLowerCase()).to.equal(paid.from);
      }
      expect((await reader.getTransactionReceipt({ hash })).status).to.equal("success");
      return;
    }
    throw new Error(`no chain has the refund ${hash}`);
  }

  for (const [name, entry] of catalogue) {
    // @spec error/refund-fail-reasons status/reasons
    it(`${name}: every channel shows it`, async () => {
      const result = await fixture.emulator.scenarios.run(name);
      expect(result.name).to.equal(name);
      const [outcome = "", reason = ""] = name.split("/");
      if (result.kind === "quote") {
        expect([outcome, kebab(result.errorCode)]).to.deep.equal(["quote-error", reason]);
        expect(result.body).to.deep.include({ errorCode: result.errorCode, message: result.message });
        return;
      }
      if (entry.kind === "request" && entry.failReason !== undefined) {
        expect([result.status, kebab(result.failReason ?? "")]).to.deep.equal([outcome, reason]);
      }
      if (outcome === "refund-failure") expect(kebab(result.refundFailReason ?? "")).to.equal(reason);
      if (outcome === "status") expect(result.status).to.equal(reason);
      expect(result.events.at(-1)?.status).to.equal(result.status);
      const hooked = !unhooked.includes(result.failReason ?? "");
      const shown = await witness.expectShown(result.requestId, result, { hooked });
      if (result.status === "refund") await expectRefunded(result, shown);
    });
  }
});
