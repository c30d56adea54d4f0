import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

describe("endpoints of the service that the emulator lacks", () => {
  const fixture = useEmulator();

  for (const [method, path, subject] of [
    ["GET", "/deposit-addresses/v1?address=0x12", "Deposit addresses are"],
    ["POST", "/transactions/deposit-address/reindex", "Deposit addresses are"],
  ] as const) {
    it(`${method} ${path} is answered with 501, a code and one sentence`, async () => {
      const init = method === "POST" ? { body: "{}", method } : { method };
      const response = await fetch(`${fixture.emulator.info.apiUrl}${path}`, init);
      expect(response.status).to.equal(501);
      expect(await response.json()).to.deep.equal({
        errorCode: "NOT_IMPLEMENTED",
        message: `${subject} not part of this emulator`,
      });
    });
  }

  it("an unknown path of the service gets a 404", async () => {
    const response = await fetch(`${fixture.emulator.info.apiUrl}/nothing`);
    expect(response.status).to.equal(404);
  });
});
