import { expect } from "chai";
import { type DeprecationNotice, getChains, getRequests } from "../../../../src/client/index.ts";
import { fakeService, json } from "../support/fakeService.ts";

const chains = { chains: [] };

describe("onDeprecation", () => {
  const headers = {
    deprecation: "@1784678400",
    link: '<https://docs.relay.link/x>; rel="deprecation", <https://docs.relay.link/y>; rel="sunset", <https://api.relay.link/requests/v3>; rel="successor-version"',
    sunset: "Tue, 24 Nov 2026 00:00:00 GMT",
  };

  // @spec version/v2-deprecated version/v2-successor
  it("receives the dates and links of deprecation headers, of error answers too", async () => {
    const notices: DeprecationNotice[] = [];
    const answers = [json({}, 429, headers), json({ requests: [] }, 200, headers)];
    const { client } = fakeService(answers, { onDeprecation: (notice) => notices.push(notice) });
    await getRequests(client, { version: "v2" });
    expect(notices).to.have.length(2);
    expect(notices[0]).to.deep.equal({
      deprecatedAt: new Date("2026-07-22T00:00:00Z"),
      link: "https://docs.relay.link/x",
      method: "GET",
      path: "/requests/v2",
      successor: "https://api.relay.link/requests/v3",
      sunsetAt: new Date("2026-11-24T00:00:00Z"),
    });
  });

  it("is not called without deprecation headers; unreadable values become undefined", async () => {
    const notices: DeprecationNotice[] = [];
    const answers = [
      json(chains),
      json(chains, 200, { deprecation: "true", link: "<<>;rel=x", sunset: "soon" }),
    ];
    const { client } = fakeService(answers, { onDeprecation: (notice) => notices.push(notice) });
    await getChains(client);
    expect(notices).to.deep.equal([]);
    await getChains(client);
    expect(notices[0]).to.include({ deprecatedAt: undefined, sunsetAt: undefined, successor: undefined });
  });
});
