import { expect } from "chai";
import {
  type ClientEvent,
  getChains,
  getQuote,
  HttpError,
  submitSignature,
  type UnknownReport,
} from "../../../src/client/index.ts";
import { NetworkError } from "../../../src/errors/NetworkError.ts";
import { textOf } from "../errors/support/textOf.ts";
import { fakeService, json, rejectionOf } from "./support/fakeService.ts";
import { intent } from "./support/samples.ts";

const apiKey = "sk/live+3f1c9d77";
const tail = "3f1c9d77";
const forms = [apiKey, encodeURIComponent(apiKey), JSON.stringify(JSON.stringify(apiKey))];

describe("an API key that the service echoes", () => {
  for (const form of forms) {
    it(`Q15: leaves no field of an HttpError, given as ${form}`, async () => {
      const body = {
        code: `A_${form}`,
        errorData: { [form]: [{ reason: `key ${form}` }], text: form },
        failedCallData: { data: form, from: form, to: `to ${form}`, value: form },
        message: `the key ${form} is not known`,
        requestId: form,
      };
      for (const status of [400, 401, 429, 500]) {
        const { client } = fakeService([json(body, status)], { apiKey, retry: { count: 0 } });
        const error = await rejectionOf(getQuote(client, intent));
        if (!(error instanceof HttpError)) expect.fail("not an HttpError");
        expect(error.errorData).to.have.property("text", error.failedCallData?.data).and.include("…");
        expect(textOf(error)).to.not.include(form).and.not.include(tail);
      }
    });
  }

  it("leaves `details` too when it stands in for `errorData`", async () => {
    const { client } = fakeService([json({ details: { key: apiKey } }, 400)], { apiKey });
    const error = await rejectionOf(getChains(client));
    expect(error).to.have.property("errorData").that.deep.equals({ key: "…" });
  });

  it("is cut out of reports on successful answers: unknown fields, invalid bodies, links and events", async () => {
    const events: ClientEvent[] = [];
    const reports: UnknownReport[] = [];
    const notices: unknown[] = [];
    const headers = {
      link: `<https://x.test/?k=${apiKey}>; rel="sunset"`,
      sunset: "Tue, 24 Nov 2026 00:00:00 GMT",
    };
    const answers = [json({ chains: [], [apiKey]: 1 }, 200, headers), json({ chains: { [apiKey]: 1 } })];
    const { client } = fakeService(answers, {
      apiKey,
      onDeprecation: (notice) => notices.push(notice),
      onEvent: (event) => events.push(event),
      onUnknown: (report) => reports.push(report),
    });
    await getChains(client);
    await rejectionOf(getChains(client));
    expect(reports).to.have.length(1);
    expect(notices).to.have.length(1);
    expect(events).to.have.length(2);
    expect(textOf([events, reports, notices])).to.not.include(tail);
  });

  it("leaves what a caller's own `fetch` throws, and its URLs", async () => {
    const thrown = new TypeError(
      `Invalid header ${apiKey} for https://u:pw@proxy.test/v1/aabbccddeeff?x=${apiKey}`,
    );
    const { client } = fakeService([thrown], { apiKey, retry: { count: 0 } });
    const error = await rejectionOf(getChains(client));
    expect(error)
      .to.be.instanceOf(NetworkError)
      .and.have.property("details", "Invalid header … for https://…@proxy.test/…");
    expect(textOf(error)).to.not.include(tail).and.not.include("aabbccddeeff");
  });

  it("keeps the query of a path that the service names out of events", async () => {
    const events: ClientEvent[] = [];
    const { client } = fakeService([json({})], { apiKey, onEvent: (event) => events.push(event) });
    const signature = `0x${"11".repeat(65)}` as const;
    await submitSignature(client, { body: {}, endpoint: `/execute/permits?nonce=${apiKey}`, signature });
    expect(events.map(({ endpoint }) => endpoint)).to.deep.equal(["POST /execute/permits"]);
  });
});
