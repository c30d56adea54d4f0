import { expect } from "chai";
import { nextStatus, type Trigger, transitions } from "../../../emulator/requests/transitions.ts";
import type { RequestStatus } from "../../../src/schema/request/requestStatus.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, type RequestHistory } from "../../helpers/requests/requestHistory.ts";
import { claimStories } from "./lifecycleStories/claimStories.ts";
import { depositAddressStories } from "./lifecycleStories/depositAddressStories.ts";
import { fastFillStories } from "./lifecycleStories/fastFillStories.ts";
import { fillStories } from "./lifecycleStories/fillStories.ts";
import type { Transition } from "./lifecycleStories/Story.ts";
import { signatureStories } from "./lifecycleStories/signatureStories.ts";

const stories = [
  ...fillStories,
  ...signatureStories,
  ...depositAddressStories,
  ...fastFillStories,
  ...claimStories,
];

/** Transitions of a request's history. */
function transitionsOf({ events }: RequestHistory): readonly Transition[] {
  return events.slice(1).map(({ trigger }, index) => `${events[index]?.status} ${trigger}` as Transition);
}

describe("the lifecycle of requests", () => {
  const fixture = useEmulator({ reorgs: true });

  for (const { reaches, run, tells } of stories) {
    // @spec state/all state/waiting-to-pending state/pending-to-success state/failure state/refund
    // @spec state/depositing state/submitted state/success
    it(`a request ${tells}`, async () => {
      const history = await historyOf(fixture.emulator, idOf(await run(fixture)));
      expect(transitionsOf(history)).to.include.members([...reaches]);
      // Every event follows the transition table.
      for (const [index, { status, trigger }] of history.events.entries()) {
        const before = history.events[index - 1]?.status as RequestStatus | undefined;
        if (before !== undefined) expect(nextStatus(before, trigger as Trigger)).to.equal(status);
      }
    });
  }

  it("the stories reach every transition of the state machine", () => {
    const all = Object.entries(transitions).flatMap(([status, allowed]) =>
      Object.keys(allowed).map((trigger) => `${status} ${trigger}`),
    );
    expect(stories.flatMap(({ reaches }) => reaches)).to.have.members(all);
  });
});
