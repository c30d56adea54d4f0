import { expect } from "chai";
import { createHardhatRuntimeEnvironment } from "hardhat/hre";
import type { NetworkConnection, NetworkConnectionParams } from "hardhat/types/network";
import { type Address, parseEther, zeroAddress } from "viem";
import waybill from "../../../hardhat/index.ts";
import { getQuote } from "../../../src/client/index.ts";
import type { TestEmulator } from "../../../testing/index.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { lastTransaction } from "../../helpers/quotes/intents.ts";
import { fresh, reverting } from "../../helpers/requests/failureStage.ts";
import { reached } from "../../helpers/requests/requestHistory.ts";

describe("the Hardhat plugin", () => {
  const environment = createHardhatRuntimeEnvironment({ plugins: [waybill] });
  const opened: NetworkConnection[] = [];
  const connect = async (parameters?: NetworkConnectionParams) => {
    const connection = await create(parameters);
    opened.push(connection);
    return connection;
  };
  const create = async (parameters?: NetworkConnectionParams) =>
    (await environment).network.create(parameters);
  const ask = ({ provider }: NetworkConnection, method: string, ...params: unknown[]) =>
    provider.request({ method, params });
  after("close the connections", async () => {
    for (const connection of opened) await connection.close();
  });

  const quoted = ({ client, destination, origin }: TestEmulator, recipient = fresh()) =>
    getQuote(client, {
      amount: parseEther("1"),
      destinationChainId: destination.info.id,
      destinationCurrency: zeroAddress,
      originChainId: origin.info.id,
      originCurrency: zeroAddress,
      recipient,
      tradeType: "EXACT_INPUT",
      user: origin.wallet(0).account.address,
    });
  const paid = async (emulator: TestEmulator) => {
    const quote = await quoted(emulator);
    await emulator.origin.wallet(0).sendTransaction(lastTransaction(quote));
    return quote;
  };
  const balanceOn = async (connection: NetworkConnection, account: string) =>
    BigInt((await ask(connection, "eth_getBalance", account, "latest")) as string);

  it("a payment from the twin chain: arrives once on the connection's own chain", async () => {
    const connection = await connect();
    const emulator = await connection.waybill.start();
    expect(emulator.chains.map(({ info }) => info.id)).to.deep.equal([31338, 31337]);
    const quote = await paid(emulator);
    await expect(emulator.request(quote)).to.bePaidOnce();
    const arrived = await balanceOn(connection, quote.details.recipient as string);
    expect(arrived > parseEther("0.99")).to.equal(true);
  });

  it("a fill that reverts in its block, on a network that throws for it: is refunded on the twin chain", async () => {
    const connection = await connect();
    const emulator = await connection.waybill.start();
    const recipient = fresh();
    const quote = await quoted(emulator, recipient);
    await ask(connection, "evm_setAutomine", false);
    await emulator.origin.wallet(0).sendTransaction(lastTransaction(quote));
    const request = emulator.request(quote);
    await reached(emulator, request.id, "submitted");
    await ask(connection, "hardhat_setCode", recipient, reverting);
    await ask(connection, "evm_mine");
    await expect(request).to.refundWith("TRANSACTION_REVERTED");
    expect(await balanceOn(connection, recipient)).to.equal(0n);
  });

  it("another connection as origin: is used instead of a twin, and stays open", async () => {
    const connection = await connect();
    const origin = await connect({ override: { chainId: 10 } });
    const emulator = await connection.waybill.start({ origin });
    expect(emulator.origin.info.id).to.equal(10);
    await expect(emulator.request(await paid(emulator))).to.bePaidOnce();
    await connection.waybill.stop();
    expect(await balanceOn(origin, zeroAddress)).to.equal(0n);
  });

  it("a fixture: restores both chains and the service in less than 50 ms", async () => {
    const connection = await connect();
    const emulator = await connection.waybill.start();
    const account = fresh();
    const give = () => emulator.destination.wallet(0).sendTransaction({ to: account, value: 1n });
    await emulator.loadFixture(give);
    const times: number[] = [];
    for (let load = 0; load < 5; load++) {
      await give();
      await emulator.request(await paid(emulator)).settled();
      const started = performance.now();
      await emulator.loadFixture(give);
      times.push(performance.now() - started);
      expect(await balanceOn(connection, account)).to.equal(1n);
    }
    expect(Math.min(...times)).to.be.below(50);
  });

  it("a second start: returns the same emulator, and refuses other options", async () => {
    const connection = await connect();
    const [first, second] = await Promise.all([connection.waybill.start(), connection.waybill.start()]);
    expect(second).to.equal(first);
    expect(() => connection.waybill.start({ rateLimits: true })).to.throw("stop it before it starts again");
    await connection.waybill.stop();
    const again = await connection.waybill.start({ rateLimits: true });
    expect(again.control.config.get().rateLimits).to.equal(true);
  });

  it("a closed connection: stops its emulator", async () => {
    const connection = await create();
    const { info } = await connection.waybill.start();
    await connection.close();
    expect(await failureOf(fetch(info.apiUrl))).to.be.an("error");
  });

  it("a start that fails: is reported, closes what it opened, and the next one works", async () => {
    const connection = await connect();
    const failed = await failureOf(connection.waybill.start({ routerVersion: "v9" as "v3" }));
    expect(failed).to.have.property("name", "InvalidParameterError");
    const { client } = await connection.waybill.start();
    expect(client).to.be.an("object");
  });

  it("a connection without a start: starts nothing", async () => {
    const connection = await connect();
    const account: Address = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
    expect(await balanceOn(connection, account)).to.equal(parseEther("10000"));
    expect(await ask(connection, "eth_blockNumber")).to.equal("0x0");
  });
});
