import { expect } from "chai";
import { type Address, encodeFunctionData, zeroAddress } from "viem";
import { depositData } from "../../../emulator/quote/steps/depositCall.ts";
import { relayApprovalProxyV3Abi } from "../../../src/abi/RelayApprovalProxyV3.ts";
import { relayRouterV2_1Abi } from "../../../src/abi/RelayRouterV2_1.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { codeOfCalls, type FixedCall, passesMoreInEvenBlocks } from "../../helpers/attackCode.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { setCode } from "../../helpers/localChain.ts";
import { carryOut, fiftyDollars, holdings, quoteFor } from "../../helpers/quotes/intents.ts";
import { ether, fresh, idOf, orderIdOf, quoteOf } from "../../helpers/requests/failureStage.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

describe("attacks on fills", () => {
  const fixture = useEmulator({ reorgs: true });

  /**
   * Calls that sweep the router's USDC during another account's multicall: v3 lets its entrant, the approval proxy,
   * in again.
   */
  const theft = (version: "v3" | "v2.1", thief: Address): FixedCall => {
    const { contracts, currencies } = fixture.beta.info;
    const token = currencies.find(({ symbol }) => symbol === "USDC")?.address as Address;
    if (version === "v2.1") {
      const args = [[token], [thief], [0n]] as const;
      const data = encodeFunctionData({ abi: relayRouterV2_1Abi, args, functionName: "cleanupErc20s" });
      return { data, to: contracts.erc20Router };
    }
    const args = [[token], [thief], [0n], "0x"] as const;
    const callData = encodeFunctionData({ abi: relayRouterV3Abi, args, functionName: "cleanupErc20s" });
    const calls = [{ allowFailure: false, callData, target: contracts.v3.erc20Router, value: 0n }];
    const data = encodeFunctionData({
      abi: relayApprovalProxyV3Abi,
      args: [[], [], calls, thief, thief, "0x"],
      functionName: "transferAndMulticall",
    });
    return { data, to: contracts.v3.approvalProxy };
  };

  for (const routerVersion of ["v3", "v2.1"] as const) {
    it(`a recipient that sweeps router ${routerVersion} while it is paid receives the output and nothing of the solver's`, async () => {
      const { beta, emulator } = fixture;
      await emulator.control.config.set({ routerVersion });
      const [recipient, thief] = [fresh(), fresh()];
      await setCode(beta, recipient, codeOfCalls(theft(routerVersion, thief)));
      const quote = await quoteFor(fixture, {
        from: "USDC",
        recipient,
        slippageTolerance: "300",
        to: "ETH",
        tradeType: "EXACT_OUTPUT",
      });
      await carryOut(fixture, quote);
      const held = await holdings(beta, { recipient, thief });
      await emulator.control.config.set({ routerVersion: "v3" });
      expect(held.recipient.ETH).to.equal(fiftyDollars("ETH"));
      expect(held.thief.USDC).to.equal(0n);
    });
  }

  it("a filled request whose deposit has a lower amount in another block: fails", async () => {
    const { alpha, emulator } = fixture;
    const quote = await quoteOf(fixture, { amount: ether / 2n, tradeType: "EXACT_OUTPUT" });
    const [payer, wallet] = [fresh(), alpha.wallet(0)];
    const deposit = { currency: zeroAddress, depositor: wallet.account.address, id: orderIdOf(quote) };
    const to = alpha.info.contracts.depository;
    await setCode(
      alpha,
      payer,
      codeOfCalls({ data: depositData(deposit), to, value: passesMoreInEvenBlocks }),
    );
    // The code is to outlast the reorganisation.
    const mine = () => alpha.reader.request({ method: "evm_mine" } as never);
    await mine();
    await mine();
    if ((await alpha.reader.getBlockNumber()) % 2n === 0n) await mine();
    const hash = await wallet.sendTransaction({
      data: `0x${"00".repeat(36)}`,
      gas: 500_000n,
      to: payer,
      value: ether,
    });
    const blockOf = async () => (await alpha.reader.getTransactionReceipt({ hash })).blockNumber;
    expect((await blockOf()) % 2n).to.equal(0n);
    await reached(emulator, idOf(quote), "success");
    await emulator.control.chains.reorg({ blocks: 2, chainId: alpha.info.id, returns: true });
    expect((await blockOf()) % 2n).to.equal(1n);
    const { deposits, failReason, status } = await until(async () => {
      const history = await historyOf(emulator, idOf(quote));
      return history.deposits[0]?.amount === "1" ? history : undefined;
    }, "the deposit in its new block");
    expect(deposits[0]?.outcome).to.equal("refused");
    expect([status, failReason]).to.deep.equal(["failure", "DEPOSIT_REORGED"]);
  });
});
