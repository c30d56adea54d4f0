import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { trustOfEmulator } from "@waybill/emulator";
import { startTestEmulator, type TestEmulator } from "@waybill/emulator/testing";
import { parseUnits } from "viem";
import { amountOf, createClient, getQuote, getRequests, getStatus, HttpError } from "waybill/client";
import { execute } from "waybill/execute";
import { createRoute } from "./route.ts";

const baseUrl = "https://app.example/api/relay";
const recipient = "0x00000000000000000000000000000000000a11ce";

let emulator: TestEmulator;
let apiKey: string;
let handle: (request: Request) => Promise<Response>;
before(async () => {
  emulator = await startTestEmulator();
  const { destination, info, origin } = emulator;
  apiKey = info.apiKeys[0]?.key ?? assert.fail();
  const currencies = { [origin.info.id]: [usdc("origin")], [destination.info.id]: [usdc("destination")] };
  const isAllowed = ({ headers }: Request) => headers.get("cookie") === "session=alice";
  handle = createRoute({ apiKey, baseUrl: info.apiUrl, currencies, isAllowed });
});
after(() => emulator.stop());

const usdc = (side: "destination" | "origin") => emulator[side].currency("USDC").toLowerCase();

/** All that the browser sends and receives. */
const traffic: string[] = [];

/** Calls the handler as the browser of a user does on the app's page. */
async function browse(
  path: string,
  init: RequestInit = {},
  more: Record<string, string> = {},
): Promise<Response> {
  const headers = { cookie: "session=alice", "sec-fetch-site": "same-origin", ...more };
  const answer = await handle(new Request(new URL(path, baseUrl), { ...init, headers }));
  const text = await answer.clone().text();
  traffic.push(JSON.stringify([path, init.body, headers, [...answer.headers], text]));
  return answer;
}

/** The page's client has no key. */
const page = createClient({ baseUrl, fetch: browse });

const request = () => ({
  amount: parseUnits("10", 6),
  destinationChainId: emulator.destination.info.id,
  destinationCurrency: usdc("destination"),
  originChainId: emulator.origin.info.id,
  originCurrency: usdc("origin"),
  recipient,
  tradeType: "EXACT_INPUT" as const,
  refundTo: emulator.origin.wallet(0).account.address,
  user: emulator.origin.wallet(0).account.address,
});

test("a page without a key: quotes, pays and tracks, and the output arrives to the unit", async () => {
  const { client, destination, info, origin } = emulator;
  const quote = await getQuote(page, request());
  const verify = { minimumOutput: parseUnits("9.5", 6), trust: trustOfEmulator(info) };
  const wallet = origin.wallet(0);
  const { requestId } = await execute(page, { quote, request: request(), verify, wallet });
  assert.equal((await getStatus(page, { requestId })).status, "success");
  const received = await destination.balanceOf(destination.currency("USDC"), recipient);
  assert.equal(received, amountOf(quote.details.currencyOut));

  // The service counts the request as the app's.
  const server = createClient({ apiKey, baseUrl: client.baseUrl });
  const { requests } = await getRequests(server, { apiKey: [apiKey], id: requestId });
  assert.equal(requests.length, 1);
});

test("other sites, strangers, other endpoints: get 403 or 404", async () => {
  const status = async (...call: Parameters<typeof browse>) => (await browse(...call)).status;
  assert.equal(await status("/api/relay/chains"), 200);
  assert.equal(await status("/api/relay/chains", {}, { "sec-fetch-site": "cross-site" }), 403);
  assert.equal(await status("/api/relay/chains", {}, { cookie: "" }), 403);
  assert.equal(await status(`/api/relay/requests/v3?user=${recipient}`), 404);
  assert.equal(await status("/api/relay/fast-fill", { body: "{}", method: "POST" }), 404);
  assert.equal(await status("/api/relay/chains/../requests/v3"), 404);
});

test("parameters and currencies that the app does not offer: get 403 or 400 with the reason", async () => {
  const refuses = (changes: object, reason: RegExp) =>
    assert.rejects(getQuote(page, { ...request(), ...changes }), (error: unknown) => {
      assert.ok(error instanceof HttpError);
      assert.equal(error.status, error.errorCode === "PARAMETER_NOT_ALLOWED" ? 403 : 400);
      assert.match(error.details ?? "", reason);
      return true;
    });
  await refuses({ subsidizeFees: true }, /does not forward this `subsidizeFees`/);
  await refuses({ appFees: [{ fee: "100", recipient }] }, /does not forward this `appFees`/);
  await refuses({ txs: [{ to: recipient }] }, /does not forward this `txs`/);
  await refuses({ originCurrency: emulator.origin.currency("USDT") }, /The input is not traded here/);
  await refuses({ destinationChainId: 1 }, /The output is not traded here/);
});

test("all that the browser sent and received: contains no key", () => {
  assert.ok(traffic.length >= 12);
  assert.deepEqual(
    traffic.filter((text) => text.includes(apiKey) || text.includes("x-api-key")),
    [],
  );
});
