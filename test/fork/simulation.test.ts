import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "chai";
import { type Address, decodeEventLog, erc20Abi, isAddressEqual, parseUnits } from "viem";
import { calls } from "../../src/calls/calls.ts";
import { depositToVault } from "../../src/calls/recipes/depositToVault.ts";
import { supplyToPool } from "../../src/calls/recipes/supplyToPool.ts";
import { simulateCalls } from "../../src/calls/simulateCalls.ts";
import { erc20Data } from "../helpers/erc20Data.ts";
import { deploy } from "../helpers/localChain.ts";
import { runWaybill } from "../helpers/processes/runWaybill.ts";
import { mainnet } from "./replica/addresses.ts";
import { useFork } from "./support/useFork.ts";

const { aave, usdc, vault } = mainnet;
const recipient: Address = "0x00000000000000000000000000000000000a11ce";
const amount = parseUnits("50", 6);

for (const engine of ["hardhat", "anvil"] as const) {
  describe(`simulateCalls on a fork by ${engine}`, () => {
    const fork = useFork({ engine });
    let proxy: Address;
    before("deploy the proxy", async () => {
      proxy = await deploy(fork.ethereum, "proxy/BalanceProxy");
    });
    const router = () => fork.ethereum.info.contracts.v3.erc20Router;
    const simulate = (txs: ReturnType<typeof vaultCalls>, accounts: readonly Address[] = []) =>
      simulateCalls(fork.ethereum.reader, {
        ...{ accounts, recipient, router: router(), txs },
        balances: [{ amount, token: usdc }],
      });
    const vaultCalls = () =>
      calls({ proxy, router: router() }).add(depositToVault({ asset: usdc, proxy, recipient, vault })).txs;

    it("a vault deposit: all USDC leaves the router, the recipient's shares equal the preview, no allowance stays", async () => {
      const abi = [
        {
          inputs: [{ name: "assets", type: "uint256" }],
          name: "previewDeposit",
          outputs: [{ name: "shares", type: "uint256" }],
          stateMutability: "view",
          type: "function",
        },
      ] as const;
      const read = { abi, address: vault, args: [amount], functionName: "previewDeposit" } as const;
      const shares = await fork.ethereum.reader.readContract(read);
      const simulated = await simulate([
        ...vaultCalls(),
        // Names the vault's shares as a token, so that they are reported.
        { data: erc20Data("transfer", recipient, 0n), to: vault, value: "0" },
      ]);
      expect(simulated.failedIndex).to.equal(undefined);
      expect(simulated.leftovers).to.deep.equal([]);
      const change = (account: Address, token: Address) => {
        const found = simulated.balances.find(
          (each) => isAddressEqual(each.account, account) && each.token === token,
        );
        return found === undefined ? undefined : found.after - found.before;
      };
      expect(change(router(), usdc)).to.equal(-amount);
      expect(change(recipient, vault)).to.equal(shares);
      expect(simulated.allowances.map(({ after }) => after)).to.deep.equal([0n]);
      expect(simulated.gasUsed !== undefined && simulated.gasUsed > 100_000n).to.equal(true);
    });

    it("an approval that nothing spends: what stays on the router is named to the unit", async () => {
      const data = erc20Data("approve", aave.pool, amount);
      const { allowances, failedIndex, leftovers } = await simulate([{ data, to: usdc, value: "0" }]);
      expect(failedIndex).to.equal(undefined);
      expect(leftovers).to.deep.equal([{ amount, token: usdc }]);
      expect(allowances).to.deep.equal([{ after: amount, before: 0n, spender: aave.pool, token: usdc }]);
    });

    it("events and exact gas come where the node has eth_simulateV1", async () => {
      const steps = supplyToPool({ asset: usdc, pool: aave.pool, proxy, recipient });
      const { events, gasSource } = await simulate(calls({ proxy, router: router() }).add(steps).txs);
      if (engine === "hardhat") {
        expect([events, gasSource]).to.deep.equal([undefined, "estimated"]);
        return;
      }
      expect(gasSource).to.equal("simulated");
      const minted = (events ?? [])
        .filter(({ address }) => isAddressEqual(address, aave.aUsdc))
        .flatMap((log) => {
          try {
            return [decodeEventLog({ abi: erc20Abi, data: log.data, topics: [...log.topics] as never })];
          } catch {
            return [];
          }
        });
      expect(minted.some(({ args }) => "to" in args && isAddressEqual(args.to, recipient))).to.equal(true);
    });

    it("waybill calls simulate prints balances, what stays and gas, and exits with 1 for what stays", async () => {
      const folder = mkdtempSync(join(tmpdir(), "waybill-fork-simulate-"));
      try {
        const file = join(folder, "request.json");
        const emulator = join(folder, "emulator.json");
        const txs = [{ data: erc20Data("transfer", recipient, 20n), to: usdc, value: "0" }];
        const request = {
          amount: "50",
          destinationChainId: 1,
          destinationCurrency: usdc,
          recipient,
          tradeType: "EXACT_INPUT",
          txs,
        };
        writeFileSync(file, JSON.stringify(request));
        writeFileSync(emulator, JSON.stringify(fork.emulator.info));
        const { code, err, out } = await runWaybill(["calls", "simulate", file, "--emulator", emulator]);
        expect([code, err]).to.deep.equal([1, ""]);
        expect(out).to.contain(`-20 of ${usdc}`).and.to.contain(`30 of ${usdc} stays on the router`);
        const json = await runWaybill(["calls", "simulate", file, "--emulator", emulator, "--json"]);
        expect(JSON.parse(json.out)).to.deep.include({ leftovers: [{ amount: "30", token: usdc }] });
      } finally {
        rmSync(folder, { force: true, recursive: true });
      }
    });
  });
}
