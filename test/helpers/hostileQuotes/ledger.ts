import { type Address, erc20Abi, type Hex, pad, parseAbi, toEventSelector, toHex } from "viem";
import type { EmulatorFixture, TestChain } from "../emulatorFixture.ts";
import { askNode } from "../localChain.ts";
import { type Amounts, gained, type Holdings, readHoldings } from "../model/holdings.ts";
import type { User } from "./users.ts";

const names = ["alpha", "beta"] as const;
/** The two chains of a delivery. */
export type ChainName = (typeof names)[number];

/** Balances of the observed accounts, and the chains' heights. */
export type Page = {
  readonly accounts: readonly Address[];
  readonly blocks: Readonly<Record<ChainName, bigint>>;
  readonly holdings: Readonly<Record<ChainName, Holdings>>;
  readonly sent: number;
};

/** Changes since a page. */
export type Movement = {
  /** Wei of the user's transactions, which are added back to its gain. */
  readonly gas: bigint;
  readonly gainOf: (chain: ChainName, account: Address) => Amounts;
};

const events = [
  "event Approval(address indexed owner, address indexed spender, uint256 value)",
  "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)",
  "event Approval(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration)",
  "event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)",
].map((event) => toEventSelector(event));
const permit2Abi = parseAbi([
  "function allowance(address owner, address token, address spender) view returns (uint160 amount, uint48 expiration, uint48 nonce)",
]);

/** Reads balances of the user and the receivers in all currencies of both chains. */
export async function readPage(
  fixture: EmulatorFixture,
  user: User,
  receivers: readonly Address[],
): Promise<Page> {
  const accounts = [...new Set([user.address, ...receivers])];
  const [alpha, beta] = await Promise.all(
    names.map(async (name) => ({
      block: await fixture[name].reader.getBlockNumber(),
      holdings: await readHoldings(fixture[name], accounts),
    })),
  );
  if (alpha === undefined || beta === undefined) throw new Error("a chain was not read");
  return {
    accounts,
    blocks: { alpha: alpha.block, beta: beta.block },
    holdings: { alpha: alpha.holdings, beta: beta.holdings },
    sent: user.hashes.length,
  };
}

/** Computes the changes since a page. */
export async function movementSince(fixture: EmulatorFixture, user: User, before: Page): Promise<Movement> {
  const after = await readPage(fixture, user, before.accounts);
  const gas = await gasOf(fixture.alpha, user.hashes.slice(before.sent));
  return {
    gainOf: (chain, account) => {
      const gain = gained(before.holdings[chain], after.holdings[chain], account);
      return chain === "alpha" && account === user.address ? { ...gain, ETH: gain.ETH + gas } : gain;
    },
    gas,
  };
}

async function gasOf({ reader }: TestChain, hashes: readonly Hex[]): Promise<bigint> {
  const spent = await Promise.all(
    [...new Set(hashes)].map(async (hash) => {
      const receipt = await reader.getTransactionReceipt({ hash }).catch(() => undefined);
      return receipt === undefined ? 0n : receipt.gasUsed * receipt.effectiveGasPrice;
    }),
  );
  return spent.reduce((sum, each) => sum + each, 0n);
}

/** An allowance that a user gave since a page and that still exists. */
export type Allowance = { readonly token: Address; readonly spender: Address; readonly amount: bigint };

/** Looks for allowances to anyone, of any token, that are larger than before. */
export async function allowancesSince(
  fixture: EmulatorFixture,
  user: User,
  { blocks }: Page,
): Promise<readonly Allowance[]> {
  const found: Allowance[] = [];
  for (const name of names) {
    const fromBlock = toHex(blocks[name] + 1n);
    const filter = { fromBlock, toBlock: "latest", topics: [events, pad(user.address)] };
    const logs = (await askNode(fixture[name], "eth_getLogs", filter)) as unknown as readonly {
      readonly address: Address;
      readonly topics: readonly Hex[];
    }[];
    const places = new Map(logs.map((log) => [[log.address, ...log.topics.slice(2)].join(), log]));
    for (const { address, topics } of places.values()) {
      const allowance = await readAllowance(fixture[name], user.address, address, topics);
      const known = user.allowances.get(`${allowance.token}:${allowance.spender}`.toLowerCase()) ?? 0n;
      if (allowance.amount > known) found.push(allowance);
    }
  }
  return found;
}

async function readAllowance(
  { reader }: TestChain,
  owner: Address,
  address: Address,
  topics: readonly Hex[],
): Promise<Allowance> {
  const [second = "0x", third] = topics.slice(2).map((topic): Address => `0x${topic.slice(26)}`);
  const functionName = "allowance";
  if (third === undefined) {
    const call = { abi: erc20Abi, address, args: [owner, second], functionName } as const;
    return { amount: await reader.readContract(call), spender: second, token: address };
  }
  const call = { abi: permit2Abi, address, args: [owner, second, third], functionName } as const;
  const [amount] = await reader.readContract(call);
  return { amount, spender: third, token: second };
}

/** Whether the solver sent the user something on the origin chain since a page. */
export async function hasRefundSince(
  { alpha, emulator }: EmulatorFixture,
  user: User,
  { blocks }: Page,
): Promise<boolean> {
  const { solver } = emulator.info;
  const last = await alpha.reader.getBlockNumber();
  for (let blockNumber = blocks.alpha + 1n; blockNumber <= last; blockNumber++) {
    const { transactions } = await alpha.reader.getBlock({ blockNumber, includeTransactions: true });
    const isRefund = transactions.some(({ from, input, to }) => {
      const isOwn = from.toLowerCase() === solver.toLowerCase();
      return isOwn && `${to}${input}`.toLowerCase().includes(user.address.slice(2).toLowerCase());
    });
    if (isRefund) return true;
  }
  return false;
}
