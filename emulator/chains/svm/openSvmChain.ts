import type { Address } from "viem";
import { decodeSvmAddress, encodeSvmAddress } from "../../../src/svm/address.ts";
import { svmChainId } from "../../../src/svm/constants.ts";
import type { LocalCurrency } from "../Chain.ts";
import type { ChainDefinition } from "../chainDefinitions.ts";
import type { SvmBalance } from "./createSvmMachine.ts";
import { loadSvm } from "./loadSvm.ts";
import { openSvmLedger } from "./openSvmLedger.ts";
import type { SvmChain } from "./SvmChain.ts";
import { deriveSvmAccounts } from "./svmAccounts.ts";
import { nativeCurrency, type SvmCurrency, svmCurrencies, svmInventory, svmTokens } from "./svmCurrencies.ts";
import type { SvmSources } from "./svmLog.ts";
import { deriveSvmPools, poolBalances } from "./swap/svmPools.ts";

/** The SVM chain, under the protocol's name. */
const svmDefinition: ChainDefinition = { displayName: "Solana", id: svmChainId, name: "solana" };

/** Whole units of each currency at the start. */
const [userUnits, solverUnits, faucetUnits] = [10_000n, 10_000_000n, 100_000_000n];

/**
 * Opens the SVM chain of the store. Its users start with every currency, its solver with those that it takes, the
 * faucet with the native one.
 */
export async function openSvmChain(sources: SvmSources): Promise<SvmChain> {
  const packages = await loadSvm();
  const accounts = await deriveSvmAccounts(packages);
  const { faucet, solver, users } = accounts;
  const holders = [
    ...users.map(({ signer }) => ({ currencies: svmCurrencies, owner: signer.address, units: userUnits })),
    { currencies: svmInventory, owner: solver.signer.address, units: solverUnits },
    { currencies: svmInventory.slice(0, 1), owner: faucet.signer.address, units: faucetUnits },
  ];
  const pools = await deriveSvmPools(packages);
  const held = holders.flatMap(({ currencies, owner, units }) =>
    currencies.map(
      ({ address, decimals }): SvmBalance => ({
        amount: units * 10n ** BigInt(decimals),
        currency: address,
        owner,
      }),
    ),
  );
  const genesis = [...held, ...poolBalances(pools)];
  const ledger = openSvmLedger(packages, sources, genesis);
  const stored = (currency: SvmCurrency): LocalCurrency => ({
    ...currency,
    address: decodeSvmAddress({ address: currency.address }),
  });
  const base58 = (bytes: Address) => encodeSvmAddress({ bytes });
  return {
    balanceOf: (currency, owner) =>
      ledger.read((machine) => machine.balanceOf({ currency: base58(currency), owner: base58(owner) })),
    blockSeconds: () => 1,
    currencies: [stored(nativeCurrency), ...svmTokens.map(stored)],
    definition: svmDefinition,
    setBalance: (currency, owner, amount) =>
      ledger.setBalances([{ amount, currency: base58(currency), owner: base58(owner) }]),
    solver: decodeSvmAddress({ address: solver.signer.address }),
    svm: { accounts, ledger, packages, pools },
  };
}
