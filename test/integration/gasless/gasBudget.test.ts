import { expect } from "chai";
import type { Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { gaslessBody, postExecute, unfundedUser } from "../../helpers/quotes/gasless.ts";
import { finalStatus } from "../../helpers/quotes/intents.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

/** Loops 100,000 times: about 2.6 million gas. */
const costly: Hex = "0x620186a05b6001900380600457600000";

describe("gas of calls that the service pays for", () => {
  const fixture = useEmulator({}, { each: true });
  let users = 400;

  const callBody = (to = fresh(), data: Hex = "0x") =>
    gaslessBody(unfundedUser(users++), fixture.alpha, [{ data, to, value: 0n }]);

  const post = async (body: unknown, key?: string) => {
    const { apiUrl } = fixture.emulator.info;
    const answer = await fetch(`${apiUrl}/execute`, {
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }) },
      method: "POST",
    });
    return { body: (await answer.json()) as Record<string, string>, status: answer.status };
  };

  it("calls above the gas of one request: are refused, and nothing is sent", async () => {
    const { alpha, emulator } = fixture;
    const burner = fresh();
    await setCode(alpha, burner, costly);
    const nonce = () => alpha.reader.getTransactionCount({ address: emulator.info.solver });
    const before = await nonce();
    const { body, status } = await postExecute(fixture, await callBody(burner));
    expect([status, body["error"]]).to.deep.equal([400, "QUOTED_GAS_LIMIT_EXCEEDED"]);
    expect(await nonce()).to.equal(before);
  });

  it("calldata above 128 KiB: is refused with TRANSACTION_TOO_LARGE", async () => {
    const { body, status } = await postExecute(fixture, await callBody(fresh(), `0x${"00".repeat(132_000)}`));
    expect([status, body["error"]]).to.deep.equal([400, "TRANSACTION_TOO_LARGE"]);
  });

  it("a caller whose calls cost more than the budget of an hour: is refused until the hour has passed, and other keys are not", async () => {
    const { control, info } = fixture.emulator;
    // Each call costs over two thousand dollars at this price.
    await control.prices.set({ ETH: "8000000" });
    const bodies = [await callBody(), await callBody(), await callBody(), await callBody()];
    const answers = await Promise.all(bodies.map((body) => post(body)));
    const refused = answers.filter(({ status }) => status === 400);
    expect(refused.length > 0 && refused.length < 4, JSON.stringify(answers)).to.equal(true);
    for (const { body } of refused) expect(body["error"]).to.match(/worth over 5000 dollars within an hour/);
    const accepted = answers.findIndex(({ status }) => status === 200);
    const id = answers[accepted]?.body["requestId"] as Hex;
    expect((await finalStatus(fixture, id)).status).to.equal("success");
    // A repetition costs nothing.
    expect((await post(bodies[accepted])).body["requestId"]).to.equal(id);
    const key = info.apiKeys[0]?.key ?? "";
    expect((await post(await callBody(), key)).status).to.equal(200);
    let last = 200;
    for (let calls = 0; calls < 20 && last === 200; calls++) last = (await post(await callBody())).status;
    expect(last).to.equal(400);
    await control.clock.advance(3_601_000);
    expect((await post(await callBody())).status).to.equal(200);
  });
});
