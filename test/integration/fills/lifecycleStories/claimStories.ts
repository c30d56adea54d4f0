import { type Address, zeroAddress } from "viem";
import {
  claimIdOf,
  earn,
  type StartedClaim,
  signClaim,
  startClaim,
} from "../../../helpers/appFees/claims.ts";
import type { EmulatorFixture } from "../../../helpers/emulatorFixture.ts";
import { mine, setCode, withoutAutomine } from "../../../helpers/localChain.ts";
import { fresh, reverting } from "../../../helpers/requests/failureStage.ts";
import { reached } from "../../../helpers/requests/requestHistory.ts";
import type { Story } from "./Story.ts";

const ownerOf = ({ alpha }: EmulatorFixture) => alpha.wallet(5).account;

/** Starts a claim in native currency, of a wallet that has earned enough for it. */
async function started(fixture: EmulatorFixture, recipient: Address): Promise<StartedClaim> {
  const { address } = ownerOf(fixture);
  await earn(fixture, address);
  return startClaim(fixture, address, { amount: 10n ** 15n, currency: zeroAddress, recipient });
}

/** Stories of claims of app fees. */
export const claimStories: readonly Story[] = [
  {
    reaches: ["waiting claim-signed"],
    run: async (fixture) => {
      const claim = await started(fixture, fresh());
      await signClaim(fixture, claim, ownerOf(fixture));
      await reached(fixture.emulator, claimIdOf(claim), "success");
      return claim;
    },
    tells: "that claims app fees: is paid out once the wallet has signed",
  },
  {
    reaches: ["pending claim-failed"],
    run: async (fixture) => {
      const recipient = fresh();
      const claim = await started(fixture, recipient);
      await setCode(fixture.alpha, recipient, reverting);
      await signClaim(fixture, claim, ownerOf(fixture));
      await reached(fixture.emulator, claimIdOf(claim), "failure");
      return claim;
    },
    tells: "that claims app fees for a recipient that rejects them: fails",
  },
  {
    reaches: ["submitted claim-failed"],
    run: async (fixture) => {
      const recipient = fresh();
      const claim = await started(fixture, recipient);
      await withoutAutomine(fixture.alpha, async () => {
        await signClaim(fixture, claim, ownerOf(fixture));
        await reached(fixture.emulator, claimIdOf(claim), "submitted");
        await setCode(fixture.alpha, recipient, reverting);
        await mine(fixture.alpha);
      });
      await reached(fixture.emulator, claimIdOf(claim), "failure");
      return claim;
    },
    tells: "that claims app fees by a payout that reverts in its block: fails",
  },
];
