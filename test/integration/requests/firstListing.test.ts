import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { quoteFor, requestIdOf } from "../../helpers/quotes/intents.ts";

const october = Date.UTC(2026, 9, 1);

describe("GET /requests", () => {
  const fixture = useEmulator({ now: october, requestsV2Sunset: "2026-11-24T00:00:00.000Z" });
  const get = (path: string) => fixture.emulator.fetch(new Request(`${fixture.emulator.info.apiUrl}${path}`));

  it("answers as its successor, version 2, with the same headers, and retires with it", async () => {
    const id = requestIdOf(await quoteFor(fixture, { from: "ETH", to: "ETH" }));
    const [first, second] = await Promise.all(
      ["/requests", "/requests/v2"].map(async (path) => {
        const answer = await get(`${path}?id=${id}`);
        return {
          answer,
          body: (await answer.json()) as { deprecation: { message: string }; requests: { id: string }[] },
        };
      }),
    );
    expect(first?.body.requests.map((request) => request.id)).to.deep.equal([id]);
    expect(first?.body.requests).to.deep.equal(second?.body.requests);
    expect(first?.body.deprecation.message).to.equal("GET /requests is deprecated. Use GET /requests/v3.");
    for (const name of ["deprecation", "link", "sunset"]) {
      expect(first?.answer.headers.get(name), name)
        .to.be.a("string")
        .and.equal(second?.answer.headers.get(name));
    }
    expect((await get("/requests?term=a")).status).to.equal(400);
    await fixture.emulator.control.clock.set(Date.UTC(2026, 10, 24));
    const retired = await get("/requests");
    expect(retired.status).to.equal(410);
    expect(await retired.json()).to.include({ message: "GET /requests was retired on 2026-11-24" });
  });
});
