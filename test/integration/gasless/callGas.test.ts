import { expect } from "chai";
import type { Hex } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { gaslessBody, postExecute, unfundedUser } from "../../helpers/quotes/gasless.ts";
import { fresh } from "../../helpers/requests/failureStage.ts";

/** Loops 100,000 times: about 2.6 million gas. */
const costly: Hex = "0x620186a05b6001900380600457600000";

describe("gas of calls that the service pays for", () => {
  const fixture = useEmulator({}, { each: true });
  let users = 400;

  const callBody = (to = fresh(), data: Hex = "0x") =>
    gaslessBody(unfundedUser(users++), fixture.alpha, [{ data, to, value: 0n }]);

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
});
