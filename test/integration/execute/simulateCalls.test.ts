import { expect } from "chai";
import { type Address, getAddress, type Hex, isAddressEqual, zeroAddress } from "viem";
import { simulateCalls } from "../../../src/calls/simulateCalls.ts";
import { sweepErc20s } from "../../../src/calls/sweep.ts";
import { InvalidParameterError } from "../../../src/errors/InvalidParameterError.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { recipient } from "../../helpers/quotes/intents.ts";

describe("simulateCalls", () => {
  const fixture = useEmulator();

  const transfer = (amount: bigint): Hex => erc20Data("transfer", recipient, amount);

  it("simulates calls as the routers of both versions, with the arriving amount, and changes nothing", async () => {
    const { contracts } = fixture.beta.info;
    for (const symbol of ["USDC", "USDT", "WETH"]) {
      const token = fixture.beta.currency(symbol);
      for (const [routerVersion, router] of [
        ["v3", contracts.v3.erc20Router],
        ["v2.1", contracts.erc20Router],
      ] as const) {
        const sweep = sweepErc20s({ recipient, router, routerVersion, tokens: [token] });
        const { calls, failedIndex } = await simulateCalls(fixture.beta.reader, {
          balances: [
            { amount: 7n, token },
            { amount: 2n, token: zeroAddress },
          ],
          recipient,
          router,
          routerVersion,
          txs: [{ data: transfer(3n), to: token }, { to: recipient, value: 2n }, sweep],
        });
        expect(failedIndex, `${symbol} ${routerVersion}`).to.equal(undefined);
        expect(calls.map(({ success }) => success)).to.deep.equal([true, true, true]);
        expect(await fixture.beta.balanceOf(token, router)).to.equal(0n);
        expect(await fixture.beta.balanceOf(token, recipient)).to.equal(0n);
      }
    }
  });

  it("names the first failing call, one unit short, with its decoded error", async () => {
    const router = fixture.beta.info.contracts.v3.erc20Router;
    const token = fixture.beta.currency("USDC");
    const { calls, failedIndex } = await simulateCalls(fixture.beta.reader, {
      balances: [{ amount: 7n, token }],
      recipient,
      router,
      txs: [
        { data: transfer(7n), to: token },
        { data: transfer(1n), to: token },
      ],
    });
    const failed = calls[1];
    expect(failedIndex).to.equal(1);
    expect(failed?.success === false && failed.revert.name).to.equal("ERC20InsufficientBalance");
  });

  it("reports a missing router, and a token whose balances cannot be found", async () => {
    const [router, notToken] = [fixture.beta.info.contracts.v3.erc20Router, recipient] as const;
    const parameters = { recipient, router, txs: [] };
    for (const [more, parameter] of [
      [{ router: recipient }, "router"],
      [{ balances: [{ amount: 1n, token: notToken }] }, "balances[0].token"],
      [{ balances: [{ amount: -1n, token: zeroAddress }] }, "balances[0].amount"],
    ] as const) {
      const error = await failureOf(simulateCalls(fixture.beta.reader, { ...parameters, ...more }));
      expect(error).to.be.instanceOf(InvalidParameterError).with.property("parameter", parameter);
    }
  });
});

describe("effects that simulateCalls reports", () => {
  const fixture = useEmulator();
  const spender = getAddress("0x000000000000000000000000000000000000beef");

  for (const routerVersion of ["v3", "v2.1"] as const) {
    it(`a transfer, an approval and a payment by router ${routerVersion}: balances, the allowance and what stays are exact`, async () => {
      const { contracts } = fixture.beta.info;
      const router = routerVersion === "v3" ? contracts.v3.erc20Router : contracts.erc20Router;
      const token = fixture.beta.currency("USDC");
      const held = await fixture.beta.reader.getBalance({ address: spender });
      const { allowances, balances, events, failedIndex, leftovers } = await simulateCalls(
        fixture.beta.reader,
        {
          accounts: [spender],
          balances: [
            { amount: 100n, token },
            { amount: 10n, token: zeroAddress },
          ],
          recipient,
          router,
          routerVersion,
          txs: [
            { data: erc20Data("transfer", recipient, 60n), to: token },
            { data: erc20Data("approve", spender, 7n), to: token },
            { to: spender, value: 4n },
          ],
        },
      );
      expect(failedIndex).to.equal(undefined);
      const gain = (of: Address, inToken: Address) => {
        const found = balances.find(
          ({ account, token: each }) => isAddressEqual(account, of) && isAddressEqual(each, inToken),
        );
        return found === undefined ? undefined : found.after - found.before;
      };
      expect(gain(recipient, token)).to.equal(60n);
      expect(gain(router, token)).to.equal(-60n);
      expect(gain(spender, zeroAddress)).to.equal(4n);
      // The router hands the rest of the native currency to the recipient.
      expect(gain(recipient, zeroAddress)).to.equal(6n);
      expect(allowances).to.deep.equal([{ after: 7n, before: 0n, spender, token }]);
      expect(leftovers).to.deep.equal([{ amount: 40n, token }]);
      // Hardhat's node has no eth_simulateV1.
      expect(events).to.equal(undefined);
      expect(await fixture.beta.reader.getBalance({ address: spender })).to.equal(held);
    });
  }

  it("a call that fails changes nothing, and an address that is no token is left out", async () => {
    const router = fixture.beta.info.contracts.v3.erc20Router;
    const token = fixture.beta.currency("USDC");
    const { balances, failedIndex, leftovers } = await simulateCalls(fixture.beta.reader, {
      balances: [{ amount: 5n, token }],
      recipient,
      router,
      txs: [
        { data: erc20Data("transfer", recipient, 6n), to: token },
        { data: erc20Data("approve", spender, 1n), to: spender },
      ],
    });
    expect(failedIndex).to.equal(0);
    expect(leftovers).to.deep.equal([{ amount: 5n, token }]);
    expect(balances.map((balance) => balance.token)).to.not.include(spender);
  });
});
