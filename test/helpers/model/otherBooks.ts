import { address, type Signature } from "@solana/kit";
import { isAddress } from "viem";
import { loadSvm } from "../../../emulator/chains/svm/loadSvm.ts";
import { svmTokens } from "../../../emulator/chains/svm/svmCurrencies.ts";
import { deriveSvmPools } from "../../../emulator/chains/svm/swap/svmPools.ts";
import type { EmulatorInfo } from "../../../emulator/index.ts";
import { svmAccounts, svmRpc } from "../svm.ts";

/** Amounts by account and currency, in smallest units. */
type Holdings = ReadonlyMap<string, bigint>;

/** Open books of the perps exchange and the SVM chain. */
export type OtherBooks = {
  /**
   * @param later Accounts without balances when the books were opened, of any ledger.
   * @returns Violations, in words.
   */
  close(later: readonly string[]): Promise<readonly string[]>;
};

/** Bytes of a token account before its amount, which has 64 bits. */
const amountOffset = 64;

/**
 * Opens the books of the perps exchange and of the SVM chain. At the close, the sum of all gains on the exchange is zero
 * in each currency. On the SVM chain it is zero in each token, and in lamports the negative sum of all fees: rent stays
 * on the token accounts.
 */
export async function openOtherBooks(info: EmulatorInfo): Promise<OtherBooks> {
  const { faucet, solver, users } = await svmAccounts();
  const pools = await deriveSvmPools(await loadSvm());
  const wallets = [
    ...[solver, faucet, ...users].map(({ signer }) => signer.address as string),
    ...pools.map(({ address }) => address),
  ];
  const accounts = [info.solver, ...(info.chains[0]?.accounts.map((each) => each.address) ?? [])];
  const [exchanged, held] = [await readExchange(info, accounts), await readSvm(info, wallets)];
  const known = new Set(await signaturesOf(info, wallets));
  return {
    close: async (later) => {
      const [evm, svm] = [later.filter((each) => isAddress(each, { strict: false })), later.filter(isWallet)];
      const problems = compare(
        "the exchange",
        exchanged,
        await readExchange(info, [...accounts, ...evm]),
        {},
      );
      const everyone = [...wallets, ...svm];
      const signatures = (await signaturesOf(info, everyone)).filter((each) => !known.has(each));
      let fees = 0n;
      for (const each of signatures) fees += await feeOf(info, each);
      return [
        ...problems,
        ...compare("the SVM chain", held, await readSvm(info, everyone), { lamports: -fees }),
      ];
    },
  };
}

const isWallet = (account: string) => !account.startsWith("0x") && account !== "";

/** Compares the sum of all gains with what left the ledger, by currency. */
function compare(ledger: string, before: Holdings, after: Holdings, due: Readonly<Record<string, bigint>>) {
  const sums = new Map<string, bigint>();
  for (const [holdings, sign] of [[after, 1n] as const, [before, -1n] as const]) {
    for (const [key, amount] of holdings) {
      const [currency = ""] = key.split(" ");
      sums.set(currency, (sums.get(currency) ?? 0n) + sign * amount);
    }
  }
  return [...sums]
    .filter(([currency, sum]) => sum !== (due[currency] ?? 0n))
    .map(
      ([currency, sum]) => `all gains on ${ledger}, ${currency}: ${sum} instead of ${due[currency] ?? 0n}`,
    );
}

/** Reads the balances of some accounts in every currency of the exchange. */
export async function readExchange(
  { adminKey, apiUrl, perps }: EmulatorInfo,
  accounts: readonly string[],
): Promise<Holdings> {
  const held = new Map<string, bigint>();
  for (const { address: currency } of perps?.currencies ?? []) {
    for (const account of new Set(accounts.map((each) => each.toLowerCase()))) {
      const query = new URLSearchParams({ account, chainId: `${perps?.chainId}`, currency });
      const answer = await fetch(`${apiUrl}/admin/balances?${query}`, {
        headers: { "x-admin-key": adminKey },
      });
      const { amount } = (await answer.json()) as { amount: string };
      held.set(`${currency} ${account}`, BigInt(amount));
    }
  }
  return held;
}

/** Reads lamports and tokens of some wallets. */
export async function readSvm({ apiUrl }: EmulatorInfo, wallets: readonly string[]): Promise<Holdings> {
  const rpc = svmRpc(apiUrl);
  const held = new Map<string, bigint>();
  for (const wallet of new Set(wallets)) {
    const owner = address(wallet);
    held.set(`lamports ${wallet}`, (await rpc.getBalance(owner).send()).value);
    for (const { address: mint, symbol } of svmTokens) {
      const found = await rpc
        .getTokenAccountsByOwner(owner, { mint: address(mint) }, { encoding: "base64" })
        .send();
      for (const { account, pubkey } of found.value) {
        held.set(`lamports ${pubkey}`, account.lamports);
        const data = Buffer.from(account.data[0], "base64");
        held.set(`${symbol} ${pubkey}`, data.readBigUInt64LE(amountOffset));
      }
    }
  }
  return held;
}

/** Signatures of all transactions that name one of the wallets. */
async function signaturesOf(
  { apiUrl }: EmulatorInfo,
  wallets: readonly string[],
): Promise<readonly Signature[]> {
  const found = new Set<Signature>();
  for (const wallet of new Set(wallets)) {
    const rpc = svmRpc(apiUrl);
    for (const { signature } of await rpc.getSignaturesForAddress(address(wallet)).send())
      found.add(signature);
  }
  return [...found];
}

async function feeOf({ apiUrl }: EmulatorInfo, signature: Signature): Promise<bigint> {
  const found = await svmRpc(apiUrl).getTransaction(signature, { encoding: "base64" }).send();
  return found?.meta?.fee ?? 0n;
}
