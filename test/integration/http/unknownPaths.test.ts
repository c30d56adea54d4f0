import { expect } from "chai";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

describe("paths that the service does not have", () => {
  const fixture = useEmulator();

  it("an unknown path of the service gets a 404", async () => {
    const response = await fetch(`${fixture.emulator.info.apiUrl}/nothing`);
    expect(response.status).to.equal(404);
  });
});
