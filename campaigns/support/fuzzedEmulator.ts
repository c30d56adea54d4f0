// An emulator of all ledgers in a process of its own, whose memory excludes the clients': `node fuzzedEmulator.ts database`. Sends
// its start-up document and known values, then answers each message with its memory and the errors logged since.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { zeroAddress } from "viem";
import { startFixture } from "../../test/helpers/emulatorFixture.ts";
import { quoteFor, requestIdOf } from "../../test/helpers/quotes/intents.ts";
import { depositAddressStage } from "../../test/helpers/requests/depositAddressStage.ts";
import { deposit, fresh, orderIdOf } from "../../test/helpers/requests/failureStage.ts";
import { svmTokenOf, svmUser } from "../../test/helpers/svm.ts";

/** Values that the emulator understands. */
export type KnownValues = {
  readonly accounts: readonly string[];
  readonly currencies: readonly string[];
  readonly ids: readonly string[];
  readonly chainIds: readonly number[];
};
/** Message of the process once it serves. */
export type FuzzedReady = {
  readonly adminKey: string;
  readonly apiKey: string;
  readonly apiUrl: string;
  readonly known: KnownValues;
};
/** Answer of the process: bytes after a garbage collection. */
export type FuzzedState = {
  readonly errors: readonly string[];
  readonly heapUsed: number;
  /** With native memory of database and chains, and free heap. */
  readonly rss: number;
};

const errors: string[] = [];
const fixture = await startFixture({
  // Stored quotes are not a leak: in a file they take no memory.
  database: process.argv[2],
  log: ({ cause, level, message }) => {
    if (level === "error") errors.push(`${message} ${String(cause)}`);
  },
  perps: true,
  svm: true,
});
const { info } = fixture.emulator;
const quote = await quoteFor(fixture, { from: "ETH", to: "USDC" });
const paid = await quoteFor(fixture, { from: "ETH", to: "ETH" });
const hash = await deposit(fixture, orderIdOf(paid), 20_000_000_000_000_000n);
const at = await depositAddressStage(fixture).quoteAt({ from: "ETH", refundTo: fresh(), to: "ETH" });
const { address } = await svmUser();
const known: KnownValues = {
  accounts: [
    ...(info.chains[0]?.accounts.slice(0, 4).map((account) => account.address) ?? []),
    ...[address, info.solver, at.steps[0]?.depositAddress ?? ""],
  ],
  chainIds: [...info.chains.map(({ id }) => id), 792703809, 1337],
  currencies: [
    ...[zeroAddress, zeroAddress, zeroAddress],
    ...info.chains.flatMap((chain) => chain.currencies.map((each) => each.address)),
    svmTokenOf("USDC").address,
  ],
  ids: [requestIdOf(quote), requestIdOf(paid), orderIdOf(paid), String(hash)],
};
setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
process.on("message", () => {
  collect();
  collect();
  const { heapUsed, rss } = process.memoryUsage();
  process.send?.({ errors: errors.splice(0), heapUsed, rss } satisfies FuzzedState);
});
process.on("disconnect", () => process.exit());
const { adminKey, apiKeys, apiUrl } = info;
process.send?.({ adminKey, apiKey: apiKeys[0]?.key ?? "", apiUrl, known } satisfies FuzzedReady);
