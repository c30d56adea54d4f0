import type { Trigger } from "../../../../emulator/requests/transitions.ts";
import type { Quote } from "../../../../src/client/index.ts";
import type { RequestStatus } from "../../../../src/schema/request/requestStatus.ts";
import type { EmulatorFixture } from "../../../helpers/emulatorFixture.ts";

/** A transition: the status before it and its trigger. */
export type Transition = `${RequestStatus} ${Trigger}`;

/** A story of a request by real causes, and the transitions that it must reach. */
export type Story = {
  readonly tells: string;
  readonly reaches: readonly Transition[];
  /** Returns a document that names the request: its quote, or its started claim. */
  run(fixture: EmulatorFixture): Promise<Pick<Quote, "steps">>;
};
