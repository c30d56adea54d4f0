import { readFileSync, writeFileSync } from "node:fs";
import { expect } from "chai";
import { toHex } from "viem";
import { mainnet } from "./replica/addresses.ts";
import { type OpenReplica, openReplica, usdc } from "./support/openReplica.ts";
import {
  deployRouters,
  type PeerPath,
  spent,
  supplyPaths,
  swapPaths,
  vaultPaths,
} from "./support/peerPaths.ts";

const page = new URL("../../docs/forks.md", import.meta.url);
const [start, end] = [
  "<!-- measured by test/fork/gas.test.ts, do not edit -->",
  "<!-- end of what is measured -->",
];

const subjects = [
  ["swap of USDC for WETH on Uniswap v3", mainnet.weth, swapPaths],
  ["deposit of USDC in an ERC-4626 vault", mainnet.vault, vaultPaths],
  ["supply of USDC to Aave v3", mainnet.aave.aUsdc, supplyPaths],
] as const;

type Row = { readonly path: PeerPath; readonly gas: bigint; readonly gained: bigint };

describe("gas on the replica", () => {
  let replica: OpenReplica;
  const measured = new Map<string, readonly Row[]>();

  before("measure each path on the same state", async () => {
    replica = await openReplica();
    const routers = await deployRouters(replica);
    for (const [subject, bought, pathsOf] of subjects) {
      const rows: Row[] = [];
      for (const path of pathsOf(replica.user, routers)) rows.push(await measure(path, bought));
      measured.set(subject, rows);
    }
    if (process.env["UPDATE_SNAPSHOTS"] === "1") writeFileSync(page, replaceTable(render(measured)));
  });
  after("stop the replica", () => replica.close());

  /** Runs a path twice, and returns the second run's gas: the first writes storage for the first time. */
  const measure = async (path: PeerPath, bought: `0x${string}`): Promise<Row> => {
    const state = await replica.rpc("evm_snapshot");
    const run = async () => {
      await replica.mint(usdc, path.holder, spent);
      // Aave does less in a second block of the same second.
      const { timestamp } = await replica.reader.getBlock();
      await replica.rpc("evm_setNextBlockTimestamp", [toHex(timestamp + 12n)]);
      const hash = await replica.wallet.sendTransaction(path.call);
      const { gasUsed, status } = await replica.reader.waitForTransactionReceipt({ hash });
      expect(status, path.name).to.equal("success");
      return gasUsed;
    };
    await run();
    let gas = 0n;
    const gained = await replica.gains(bought, async () => {
      gas = await run();
    });
    expect(await replica.balanceOf(usdc, path.holder), path.name).to.equal(0n);
    await replica.rpc("evm_revert", [state]);
    return { gained, gas, path };
  };

  for (const [subject] of subjects) {
    const rows = () => measured.get(subject) ?? [];

    it(`${subject}: every path gains the same, to the unit`, () => {
      const gained = rows().map((row) => row.gained);
      expect(gained.every((each) => each > 0n)).to.equal(true);
      // Aave's index grows with each second.
      const tolerance = subject.includes("Aave") ? 1n : 0n;
      for (const each of gained) expect(each - (gained[0] ?? 0n) <= tolerance, subject).to.equal(true);
    });

    it(`${subject}: with the tokens in the contract, the executor is cheaper than Across' handler`, () => {
      const gasOf = (name: string) => rows().find(({ path }) => path.name.startsWith(name))?.gas ?? 0n;
      expect(gasOf("`BalanceExecutor`") > 0n).to.equal(true);
      expect(gasOf("`BalanceExecutor`") < gasOf("Across")).to.equal(true);
    });
  }

  it("the table of the page has the measured gas", () => {
    expect(readFileSync(page, "utf8")).to.equal(replaceTable(render(measured)));
  });
});

function render(measured: ReadonlyMap<string, readonly Row[]>): string {
  const tables = [...measured].map(([subject, rows]) => {
    const lines = rows.map(({ gas, path }) => {
      const where = path.isLive && path.holder === path.call.to ? "in the contract" : "with the user";
      return `| ${path.name} | ${where} | ${path.isLive ? "yes" : "no"} | ${gas.toLocaleString("en-US")} |`;
    });
    return [`| ${subject} | USDC before | live balance | gas |`, "| --- | --- | --- | ---: |", ...lines].join(
      "\n",
    );
  });
  return tables.join("\n\n");
}

function replaceTable(tables: string): string {
  const text = readFileSync(page, "utf8");
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from < 0 || to < from) throw new Error("the page has no place for the tables");
  return `${text.slice(0, from)}${start}\n\n${tables}\n\n${text.slice(to)}`;
}
