import { expect } from "chai";
import { zeroAddress } from "viem";
import { getStatus } from "../../../src/client/index.ts";
import { forEachStore } from "../../helpers/processes/stores.ts";
import { idOf } from "../../helpers/requests/failureStage.ts";
import { until } from "../../helpers/requests/requestHistory.ts";
import { type SharedIntent, startMs, useSharedEmulators } from "./sharedEmulators.ts";

/** A lease, and the work after its expiry, in milliseconds. */
const takeoverMs = 40_000;

forEachStore("fast fills of two emulators over one database", (kind) => {
  if (!kind.isShared) return;
  const { admin, chains, clientOf, infos, payAll, quotes, spawned } = useSharedEmulators(kind);

  /** Asks one of the emulators for a fast fill; undefined when it has died. */
  async function fillAt(index: number, { quote }: SharedIntent): Promise<number | undefined> {
    const { apiKeys, apiUrl } = infos[index] ?? {};
    const answer = await fetch(`${apiUrl}/fast-fill`, {
      body: JSON.stringify({ requestId: idOf(quote) }),
      headers: { "content-type": "application/json", "x-api-key": apiKeys?.[0]?.key ?? "" },
      method: "POST",
    }).catch(() => undefined);
    return answer?.status;
  }

  it("fast fills of one key at both processes: their limit lets exactly two through", async () => {
    const intents = await quotes(8);
    await admin(0, "PATCH", "/config", { advancePerKey: "5200" });
    for (const index of [0, 1]) {
      const heard = async () => {
        const config = await admin(index, "GET", "/config");
        return config["advancePerKey"] === "5200" ? true : undefined;
      };
      await until(heard, "the limit at both processes");
    }
    const statuses = await Promise.all(intents.map((intent, index) => fillAt(index % 2, intent)));
    expect(statuses.toSorted()).to.deep.equal([200, 200, ...Array(6).fill(400)]);
  });

  it("fast fills and deposits race, and a process is killed: each request is filled once, none is refunded", async function () {
    this.timeout(2 * startMs);
    const intents = await quotes(16);
    const paying = payAll(intents);
    const asked = intents.map((intent) => Promise.all([fillAt(0, intent), fillAt(1, intent)]));
    const early = await Promise.all(asked.slice(0, 4));
    spawned[0]?.child.kill("SIGKILL");
    await paying;
    const statuses = [...early, ...(await Promise.all(asked))].flat();
    expect(statuses.filter((status) => ![200, 409, undefined].includes(status))).to.deep.equal([]);
    for (const { from, quote, recipient } of intents) {
      const history = await until(
        async () => {
          if ((await getStatus(clientOf(1), { requestId: idOf(quote) })).status !== "success")
            return undefined;
          const found = (await admin(1, "GET", `/requests/${idOf(quote)}/events`)) as {
            children: unknown[];
            deposits: { outcome: string }[];
            transactions: { kind: string }[];
          };
          return found.deposits.length > 0 ? found : undefined;
        },
        `the fill and the deposit of ${idOf(quote)}`,
        takeoverMs,
      );
      // The deposit was filled itself, or it paid the advance back.
      expect(history.deposits.map(({ outcome }) => outcome).join()).to.be.oneOf(["accepted", "netted"]);
      expect(history.transactions.map(({ kind: made }) => made)).to.deep.equal(["fill"]);
      expect(history.children).to.deep.equal([]);
      const to = chains().find((chain) => chain !== from) ?? from;
      const promised = BigInt(quote.details.currencyOut.amount);
      expect(await to.balanceOf(zeroAddress, recipient)).to.equal(promised);
    }
  });
});
