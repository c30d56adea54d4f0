import { expect } from "chai";
import type { Hex } from "viem";
import { decodeCalldata, decodeEvent } from "../../../console/data/decode.ts";
import { getChains } from "../../../src/client/index.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { sendAs } from "../../helpers/quotes/intents.ts";
import { deposit, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

type Frame = { readonly input: Hex; readonly to: string; readonly calls?: readonly Frame[] };
type Log = { readonly data: Hex; readonly topics: [Hex] };

/** Decoded as the console does. */
const functionsOf = ({ calls = [], input }: Frame): string[] => [
  decodeCalldata(input)?.name ?? "",
  ...calls.flatMap(functionsOf),
];
const eventsOf = ({ events }: { readonly events: readonly Log[] }) =>
  events.map((log) => decodeEvent(log)?.name);

describe("the explorer", () => {
  const fixture = useEmulator({ reorgs: true });

  async function load(path: string, chainId = fixture.alpha.info.id, headers: Record<string, string> = {}) {
    const { chains } = await getChains(fixture.client);
    const base = chains.find(({ id }) => id === chainId)?.explorerUrl;
    const answer = await fetch(`${base}${path}`, { headers, redirect: "manual" });
    const text = await answer.text();
    return { answer, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** A transaction by the link that clients make of the chain record. */
  async function loadTransaction(hash: Hex, chainId = fixture.alpha.info.id) {
    const { chains } = await getChains(fixture.client);
    const path = chains.find(({ id }) => id === chainId)?.explorerPaths?.transaction ?? "";
    return load(path.replace("{TX_HASH}", hash), chainId);
  }

  it("shows status, value, balances and request of a deposit, and of its fill on the other chain", async () => {
    const quote = await quoteOf(fixture);
    const hash = await deposit(fixture, orderIdOf(quote));
    const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
    const { answer, body } = await loadTransaction(hash);
    expect(answer.status).to.equal(200);
    const requests = [{ id: idOf(quote), status: "success" }];
    expect(body).to.deep.include({ requests, status: "success", value: "1000000000000000000" });
    const call = decodeCalldata(body.data);
    expect(call?.name).to.equal("depositNative");
    expect(call?.args).to.deep.include({ name: "id", type: "bytes32", value: orderIdOf(quote) });
    const { depository } = fixture.alpha.info.contracts;
    const held = body.balances.find(
      ({ account }: { account: string }) => account === depository.toLowerCase(),
    );
    expect(BigInt(held.after) - BigInt(held.before)).to.equal(10n ** 18n);
    const fill = await loadTransaction(transactions[0]?.hash ?? "0x", fixture.beta.info.id);
    expect(fill.body.requests).to.deep.equal(requests);
  });

  it("shows the calls inside a router's fill as the node traced them, and its events", async () => {
    const quote = await quoteOf(fixture, { destinationCurrency: fixture.beta.currency("USDT") });
    await deposit(fixture, orderIdOf(quote));
    const { transactions } = await reached(fixture.emulator, idOf(quote), "success");
    const { body } = await loadTransaction(transactions[0]?.hash ?? "0x", fixture.beta.info.id);
    expect(JSON.stringify(decodeCalldata(body.data)))
      .to.include('"swapExact')
      .and.include('"amountOutMin"');
    expect(body.trace).to.include({ input: body.data, type: "CALL" });
    expect(functionsOf(body.trace)).to.include.members(["swapExactETHForTokens", "swap", "transfer"]);
    expect(eventsOf(body)).to.include.members(["Swap", "Transfer"]);
  });

  it("tells events of one name apart, and shows the balances of all their accounts", async () => {
    const ran = await fixture.emulator.scenarios.run("success/same-chain-swap");
    if (ran.kind !== "request" || ran.depositTxHash === null) throw new Error("nothing was paid");
    const { body } = await loadTransaction(ran.depositTxHash);
    const decoded = body.events.map((log: Log) => decodeEvent(log));
    const named = decoded.flatMap((event: ReturnType<typeof decodeEvent>) =>
      event?.args.map(({ name, value }) => `${event.name} ${name} ${value}`),
    );
    const { uniswapV2Router } = fixture.alpha.info.contracts;
    expect(named).to.include(`Deposit dst ${uniswapV2Router}`);
    expect(JSON.stringify(decoded)).to.not.include("undefined");
    const changed = body.balances.map(({ symbol }: { symbol: string }) => symbol);
    expect(changed).to.include.members(["ETH", "USDC", "WETH"]);
  });

  it("shows calldata of an unknown function as it is, and answers 404 for an unknown hash", async () => {
    const script = `<script>alert("x")</script>`;
    const data = `0x${Buffer.from(script.repeat(100)).toString("hex")}` as Hex;
    const hash = await sendAs(fixture.alpha, 0, { data, to: fresh() });
    expect((await loadTransaction(hash)).body).to.include({ data });
    expect(decodeCalldata(data)).to.equal(null);
    const unknown = await load(`/tx/${encodeURIComponent(script)}`);
    expect(unknown.answer.status).to.equal(404);
    expect(unknown.answer.headers.get("content-type")).to.match(/^application\/json/);
  });

  it("shows an account with its balances and requests, and a token under the link that wallets use", async () => {
    const recipient = fresh();
    const quote = await quoteOf(fixture, { recipient });
    await deposit(fixture, orderIdOf(quote));
    await reached(fixture.emulator, idOf(quote), "success");
    const { body } = await load(`/address/${recipient}`, fixture.beta.info.id);
    const { amount } = quote.details.currencyOut;
    expect(body.balances[0]).to.include({ amount, symbol: "ETH" });
    expect(body).to.deep.include({ isContract: false, requests: [{ id: idOf(quote), status: "success" }] });
    expect((await load(`/token/${fixture.alpha.currency("USDC")}`)).body.isContract).to.equal(true);
  });

  it("lists blocks back to the first, newest first, with their transactions", async () => {
    const hash = await sendAs(fixture.alpha, 0, { data: "0x", to: fresh() });
    const newest = (await load("?limit=2")).body;
    expect(newest.blocks[0].number).to.equal(newest.height);
    expect(newest.blocks[0].transactions.map((each: { hash: string }) => each.hash)).to.deep.equal([hash]);
    const older = (await load(`?limit=100&before=${newest.height}`)).body;
    expect(older.blocks[0]).to.deep.equal(newest.blocks[1]);
    expect(older.blocks.at(-1).number).to.equal(0);
    expect((await load("?limit=0")).answer.status).to.equal(400);
  });

  it("leads browsers to the view of the console", async () => {
    const { answer } = await load("/tx/0xab?x=1", fixture.alpha.info.id, { accept: "text/html,*/*" });
    expect(answer.status).to.equal(302);
    expect(answer.headers.get("location")).to.equal(`/console#/chains/${fixture.alpha.info.id}/tx/0xab`);
  });
});
