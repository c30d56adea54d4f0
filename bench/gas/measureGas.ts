import { network } from "hardhat";
import { type Breakdown, breakDown } from "./breakDown.ts";
import {
  facetErc20Backed,
  facetErc20Checked,
  facetErc20Unchecked,
  facetNativeBacked,
  facetNativeChecked,
  facetNativeUnchecked,
} from "./facetPaths.ts";
import { managedErc20Deposit, managedNativeDeposit } from "./managedPaths.ts";
import { orderErc20Deposit, orderNativeDeposit } from "./orderPaths.ts";
import { type Path, steadyReceipt } from "./Path.ts";
import { authorizationDeposit, permit2Deposit, permitDeposit } from "./permitPaths.ts";
import { erc20Deposit, nativeDeposit } from "./pinnedPaths.ts";
import {
  erc4626Deposit,
  executedVaultDeposit,
  minimalPrefundedVaultDeposit,
  minimalPulledVaultDeposit,
  prefundedVaultDeposit,
  pulledVaultDeposit,
} from "./proxyPaths.ts";
import type { FloorName, GasRowName } from "./rows.ts";

const paths: Readonly<Record<GasRowName | FloorName, Path>> = {
  "erc20-deposit-infinite-allowance": erc20Deposit,
  "erc20-deposit-with-authorization": authorizationDeposit,
  "erc20-deposit-with-permit": permitDeposit,
  "erc20-deposit-with-permit2": permit2Deposit,
  "executor-execute-prefunded-approve-vault-deposit": executedVaultDeposit,
  "executor-spend-prefunded-approve-vault-deposit": prefundedVaultDeposit,
  "facet-erc20-backed": facetErc20Backed,
  "facet-erc20-checked": facetErc20Checked,
  "facet-erc20-unchecked": facetErc20Unchecked,
  "facet-native-backed": facetNativeBacked,
  "facet-native-checked": facetNativeChecked,
  "facet-native-unchecked": facetNativeUnchecked,
  "managed-erc20-deposit-every-policy": managedErc20Deposit,
  "managed-native-deposit-every-policy": managedNativeDeposit,
  "minimal-zap": minimalPrefundedVaultDeposit,
  "minimal-zap-pull": minimalPulledVaultDeposit,
  "native-deposit-to-eoa-solver": nativeDeposit,
  "order-erc20-deposit": orderErc20Deposit,
  "order-native-deposit": orderNativeDeposit,
  "proxy-deposit-erc4626": erc4626Deposit,
  "proxy-spend-pull-approve-vault-deposit": pulledVaultDeposit,
};

/** One beginning of every chain: orders have deadlines, whose zero bytes would change the gas from second to second. */
const initialDate = new Date(1_790_000_000_000);

/** A path's gas and its items. */
export type Measured = { readonly gas: number; readonly breakdown: Breakdown };

/** Measures every path, each on a chain of its own. */
export async function measureGas(): Promise<Readonly<Record<string, Measured>>> {
  const measured: Record<string, Measured> = {};
  for (const [name, path] of Object.entries(paths)) {
    const { ethers, close } = await network.create({ override: { initialDate } });
    try {
      const { ours, send } = await path(ethers);
      const receipt = await steadyReceipt(send);
      const addresses = await Promise.all(ours.map((each) => each.getAddress()));
      measured[name] = {
        breakdown: await breakDown(ethers, receipt, addresses),
        gas: Number(receipt.gasUsed),
      };
    } finally {
      await close();
    }
  }
  return measured;
}
