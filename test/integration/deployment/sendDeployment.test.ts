import { expect } from "chai";
import type { Address } from "viem";
import { readArtifact } from "../../../cli/deployments/readArtifact.ts";
import { planDeployment } from "../../../src/deployment/planDeployment.ts";
import { sendDeployment } from "../../../src/deployment/sendDeployment.ts";
import { placeCreateX } from "../../helpers/contracts/placeCreateX.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";

const solver: Address = "0x71bE63f3384f5fb98995898A86B02Fb2426c5788";
const refundPayee: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const parameters = { PinnedReceiver: { binding: 0, nativePayee: solver, refundPayee, solver } } as const;

describe("sendDeployment", () => {
  const fixture = useEmulator();

  it("a plan whose contract another sender deployed first: reverts, and reports the contract that stands", async () => {
    await placeCreateX(fixture.alpha);
    const { reader } = fixture.alpha;
    const given = { chainId: 31337, contract: "PinnedReceiver", parameters, readArtifact } as const;
    const plan = await planDeployment(reader, given);
    const send = (index: number) =>
      sendDeployment(reader, plan, { parameters, readArtifact, wallet: fixture.alpha.wallet(index) });
    const first = await send(0);
    const second = await send(1);
    expect(first).to.include({ isNew: true });
    expect(second).to.include({ isNew: false });
    expect(second.verified).to.deep.include({ address: plan.address, contract: "PinnedReceiver" });
    expect(second.verified.differences).to.deep.equal([]);
    const { status } = await reader.getTransactionReceipt({ hash: second.hash });
    expect(status).to.equal("reverted");
  });
});
