import { expect } from "chai";
import { getAddress } from "viem";
import { requestsV2PageSchema } from "../../../src/schema/record/requestV2.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { fiftyDollars, requestIdOf } from "../../helpers/quotes/intents.ts";
import { addressOf, depositAddressStage } from "../../helpers/requests/depositAddressStage.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

describe("GET /requests/v2 with a deposit address as its user", () => {
  const fixture = useEmulator({ requestsV2Sunset: "never" });
  const { ended, pay, quoteAt } = depositAddressStage(fixture);

  async function idsOf(user: string): Promise<readonly unknown[]> {
    const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/v2?user=${user}`);
    const page = requestsV2PageSchema.parse(await answer.json());
    return page.requests.map(({ id }) => id);
  }

  it("an unpaid address, in any letter case: lists its request, as the sender and the recipient do", async () => {
    const [user, to] = [fresh(), fresh()];
    const quote = await quoteAt({ from: "ETH", recipient: to, to: "ETH", user });
    await quoteAt({ from: "ETH", to: "ETH" });
    const own = [requestIdOf(quote)];
    for (const account of [addressOf(quote), getAddress(addressOf(quote)), user, to]) {
      expect(await idsOf(account), account).to.deep.equal(own);
    }
  });

  it("half of the quoted amount: lists the new request before the first one", async () => {
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    const address = addressOf(quote);
    await pay(address, "ETH", fiftyDollars("ETH") / 2n);
    const [record] = await ended(address, 1);
    expect(await idsOf(address)).to.deep.equal([record?.id, requestIdOf(quote)]);
  });

  it("version 3: finds an address by `depositAddress`, not by `user`", async () => {
    const quote = await quoteAt({ from: "ETH", to: "ETH" });
    const headers = { "x-api-key": fixture.emulator.info.apiKeys[0]?.key ?? "" };
    const found = async (field: string) => {
      const url = `${fixture.emulator.info.apiUrl}/requests/v3?${field}=${addressOf(quote)}`;
      const { requests } = (await (await fetch(url, { headers })).json()) as { requests: unknown[] };
      return requests.length;
    };
    expect([await found("depositAddress"), await found("user")]).to.deep.equal([1, 0]);
  });
});
