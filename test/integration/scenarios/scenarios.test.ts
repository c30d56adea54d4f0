import { expect } from "chai";
import type { ScenarioRequest } from "../../../emulator/index.ts";
import { catalogue } from "../../../emulator/scenarios/catalogue.ts";
import { serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { failReasons } from "../../../src/schema/request/failReason.ts";
import { refundFailReasons } from "../../../src/schema/request/refundFailReason.ts";
import { requestStatuses } from "../../../src/schema/request/requestStatus.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { until } from "../../unit/emulator/support/waiting.ts";
import { type Receiver, startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";

const kebab = (code: string) => code.toLowerCase().replaceAll("_", "-");
const withoutNone = (codes: readonly string[]) => codes.filter((code) => code !== "N/A");
const failed = new Set(["failure", "refund"]);

describe("scenarios", () => {
  const fixture = useEmulator({ seed: "scenarios" });
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver();
    const [key] = fixture.emulator.info.apiKeys;
    await fixture.emulator.webhooks.set(key?.id ?? "", { url: receiver.url });
  });
  after(() => receiver.stop());

  const read = async (path: string): Promise<Record<string, unknown>> => {
    const { apiKeys, apiUrl } = fixture.emulator.info;
    const answer = await fetch(`${apiUrl}${path}`, { headers: { "x-api-key": apiKeys[0]?.key ?? "" } });
    expect(answer.status, path).to.equal(200);
    return (await answer.json()) as Record<string, unknown>;
  };
  const recordOf = async (version: "v2" | "v3", { requestId }: ScenarioRequest) => {
    const { requests } = (await read(`/requests/${version}?id=${requestId}`)) as {
      requests: { status: string; data: Record<string, unknown> }[];
    };
    const [record] = requests;
    if (record === undefined) throw new Error(`version ${version} has no record`);
    return record;
  };

  /** Checks that status, both records and the webhook show what the scenario's name says. */
  async function expectShown(result: ScenarioRequest): Promise<void> {
    const { failReason, refundFailReason, requestId, status } = result;
    const hasFailed = failed.has(status);
    const shown = {
      failReason: hasFailed ? failReason : "N/A",
      refundFailReason: (hasFailed ? refundFailReason : null) ?? "N/A",
      status,
    };
    expect(await read(`/intents/status/v3?requestId=${requestId}`), "status").to.deep.include(shown);
    const v3 = await recordOf("v3", result);
    expect([v3.status, v3.data["failReason"], v3.data["refundFailReason"]], "version 3").to.deep.equal([
      status,
      hasFailed ? failReason : null,
      refundFailReason,
    ]);
    const v2 = await recordOf("v2", result);
    expect(v2.status, "version 2").to.equal(status === "submitted" ? "pending" : status);
    expect(v2.data["failReason"] ?? "N/A", "version 2").to.equal(shown.failReason);
    // A deposit that names no request belongs to no API key, and a poor sponsor's request to a key of its own.
    if (failReason === "ORPHANED_DEPOSIT_REFUND" || failReason === "SPONSOR_BALANCE_TOO_LOW") return;
    await until(() => receiver.statuses(requestId).includes(status));
    const sent = receiver.received.filter(({ event }) => event.data.requestId === requestId).at(-1);
    expect(sent?.event.data, "webhook").to.deep.include(shown);
  }

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

  for (const [name, entry] of catalogue) {
    it(`${name}: status, records and webhook show it`, async () => {
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
      await expectShown(result);
    });
  }
});
