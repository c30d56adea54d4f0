import { expect } from "chai";
import { AbiCoder, getBytes, keccak256, verifyMessage } from "ethers";
import { zeroAddress } from "viem";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { askPlainly } from "../../helpers/quotes/bridgeIntent.ts";
import { fiftyDollars, quoteFor } from "../../helpers/quotes/intents.ts";
import { fresh, idOf } from "../../helpers/requests/failureStage.ts";

describe("GET /requests/{requestId}/signature", () => {
  const fixture = useEmulator();

  // @spec signature/endpoint signature/shape signature/request-data signature/encoding signature/hash
  // @spec signature/signer
  it("a quoted request: answers its own fields, signed by the solver in the documented encoding", async () => {
    const { alpha, beta, emulator } = fixture;
    const [user, recipient] = [alpha.wallet(2).account.address.toLowerCase(), fresh()];
    const quote = await quoteFor(fixture, {
      from: "ETH",
      recipient,
      to: "USDC",
      user: alpha.wallet(2).account.address,
    });
    const requestId = idOf(quote);
    const { body, status } = await askPlainly(fixture, `/requests/${requestId}/signature`);
    expect(status).to.equal(200);
    const { requestData, signature, ...others } = body as { requestData: unknown; signature: string };
    expect(others).to.deep.equal({});
    expect(requestData).to.deep.equal({
      destinationChainId: beta.info.id,
      destinationUser: recipient,
      originAmount: fiftyDollars("ETH").toString(),
      originChainId: alpha.info.id,
      originCurrency: zeroAddress,
      originUser: user,
    });
    const word = (address: string) => `0x${address.slice(2).padStart(64, "0")}`;
    const encoded = AbiCoder.defaultAbiCoder().encode(
      ["bytes32", "uint256", "bytes32", "bytes32", "uint256", "uint256", "bytes32"],
      [
        ...[requestId, alpha.info.id, word(user), word(zeroAddress), fiftyDollars("ETH")],
        ...[beta.info.id, word(recipient)],
      ],
    );
    const signer = verifyMessage(getBytes(keccak256(encoded)), signature);
    expect(signer.toLowerCase()).to.equal(emulator.info.solver.toLowerCase());
  });
});
