import { expect } from "chai";
import type { Hex } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../../helpers/emulatorFixture.ts";
import { connectStream, type StreamListener } from "../../helpers/network/streamListener.ts";
import { asIntegrator } from "../../helpers/quotes/sponsors.ts";
import { historyOf } from "../../helpers/requests/requestHistory.ts";
import { until } from "../../unit/emulator/support/waiting.ts";
import { type Receiver, startReceiver } from "../../unit/emulator/webhooks/support/receiver.ts";

/** How a request ends. */
export type End = {
  readonly status: string;
  readonly failReason?: string | null;
  readonly refundFailReason?: string | null;
};

/** Reads a request on every channel that an integrator has. */
export type Witness = {
  /** Follows a request on the stream. */
  follow(requestId: Hex): void;
  /**
   * Expects that status, both records, webhook and stream show an end.
   *
   * @returns Data of version 3 of the record.
   */
  expectShown(requestId: Hex, end: End, options?: { hooked?: boolean }): Promise<RecordData>;
};

/** The part of a record's data that tests read. */
export type RecordData = {
  readonly failReason?: string | null;
  readonly refundFailReason?: string | null;
  readonly refundCurrencyData?: { readonly amount: string } | null;
};

type RequestRecord = { readonly status: string; readonly data: RecordData };

const failed = new Set(["failure", "refund"]);

/** Opens a webhook receiver and a stream for the suite, both with the emulator's first API key. */
export function useWitness(fixture: EmulatorFixture): Witness {
  let receiver: Receiver;
  let stream: StreamListener;
  const key = () => fixture.emulator.info.apiKeys[0] as { readonly id: string; readonly key: string };
  before("open the receiver and the stream", async () => {
    receiver = await startReceiver();
    await fixture.emulator.webhooks.set(key().id, { url: receiver.url });
    stream = await connectStream(`${fixture.emulator.info.wsUrl}?apiKey=${key().key}`);
  });
  after("close the receiver and the stream", async () => {
    stream.socket.terminate();
    await receiver.stop();
  });

  const recordOf = async (version: "v2" | "v3", requestId: Hex): Promise<RequestRecord> => {
    const url = `${fixture.emulator.info.apiUrl}/requests/${version}?id=${requestId}`;
    const answer = await fetch(url, { headers: { "x-api-key": key().key } });
    const { requests } = (await answer.json()) as { requests: readonly RequestRecord[] };
    const [record] = requests;
    if (record === undefined) throw new Error(`version ${version} has no record of ${requestId}`);
    return record;
  };

  const followed = new Set<Hex>();
  return {
    follow: (requestId) => {
      followed.add(requestId);
      stream.subscribe(requestId);
    },
    expectShown: async (requestId, { failReason = null, refundFailReason = null, status }, options = {}) => {
      const hasFailed = failed.has(status);
      const shown = {
        failReason: (hasFailed ? failReason : null) ?? "N/A",
        refundFailReason: (hasFailed ? refundFailReason : null) ?? "N/A",
        status,
      };
      const { client } = asIntegrator(fixture);
      expect(await getStatus(client, { requestId }), "status").to.deep.include(shown);
      const v3 = await recordOf("v3", requestId);
      expect([v3.status, v3.data.failReason, v3.data.refundFailReason], "version 3").to.deep.equal([
        status,
        hasFailed ? failReason : null,
        refundFailReason,
      ]);
      const v2 = await recordOf("v2", requestId);
      expect(v2.status, "version 2").to.equal(status === "submitted" ? "pending" : status);
      expect(v2.data.failReason ?? "N/A", "version 2").to.equal(shown.failReason);
      if (options.hooked === false) return v3.data;

      const { events } = await historyOf(fixture.emulator, requestId);
      const changes = events
        .map((event) => event.status)
        .filter((each, index, all) => each !== all[index - 1]);
      await until(() => receiver.statuses(requestId).length >= changes.length);
      expect(receiver.statuses(requestId), "webhook").to.deep.equal(changes);
      const last = receiver.received.filter(({ event }) => event.data.requestId === requestId).at(-1);
      expect(last?.event.data, "webhook").to.deep.include(shown);
      if (!followed.has(requestId)) stream.subscribe(requestId);
      await stream.untilStatus(requestId, status);
      // A subscription shows the status of its moment and each later one.
      const streamed = stream.statusesOf(requestId);
      expect(streamed, "stream").to.deep.equal(changes.slice(-streamed.length));
      return v3.data;
    },
  };
}
