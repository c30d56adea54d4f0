import { deployments as own } from "../../src/abi/deployments.ts";
import { productionTrust } from "../../src/calls/verify/productionTrust.ts";

/** A place of a contract. */
export type Deployment = { readonly chainId: number; readonly address: string };

/** A contract whose functions wallets show. */
export type DescribedContract = {
  /** Source below `contracts`, whose ABI is described. An interface names every parameter. */
  readonly sources: readonly string[];
  readonly deployments: readonly Deployment[];
  /** Intent of each state-changing function; `undefined` for one that no account signs. At most 30 characters. */
  readonly intents: Readonly<Record<string, string | undefined>>;
};

const chains = productionTrust.chains.map(({ chainId }) => chainId);
const onEveryChain = (address: string): Deployment[] => chains.map((chainId) => ({ address, chainId }));

/** Placeholder: integrators deploy their own receivers, and publish the descriptor with that address. */
export const toReplace: readonly Deployment[] = [
  { address: "0x0000000000000000000000000000000000000000", chainId: 31_337 },
];

const deposits = {
  deposit: "Pay",
  depositAll: "Pay several requests",
  depositErc20: "Pay with tokens",
  depositErc20WithAuthorization: "Relay a signed payment",
  depositErc20WithPermit: "Permit and pay",
  depositErc20WithPermit2: "Relay a Permit2 payment",
  refundErc20: "Refund a request",
} as const;

const ownership = {
  cancelOwnershipHandover: "Cancel ownership request",
  completeOwnershipHandover: "Hand over ownership",
  renounceOwnership: "Give up ownership",
  requestOwnershipHandover: "Request ownership",
  transferOwnership: "Transfer ownership",
} as const;

const executions = {
  execute: "Make calls with tokens",
  executeWithNftRecipient: "Make calls, receive NFTs",
  spend: "Call with all tokens",
} as const;

/** The described contracts, by the name of their descriptor. */
export const CONTRACTS: Readonly<Record<string, DescribedContract>> = {
  BalanceProxy: {
    deployments: onEveryChain(own.BalanceProxy),
    intents: { ...executions, depositErc4626: "Deposit into a vault" },
    sources: ["proxy/BalanceProxy", "interfaces/proxy/IBalanceProxy", "interfaces/proxy/IBalanceActions"],
  },
  BalanceExecutor: {
    deployments: onEveryChain(own.BalanceExecutor),
    // The proxy alone calls `lock`.
    intents: { ...executions, lock: undefined },
    sources: ["proxy/BalanceExecutor"],
  },
  ManagedReceiver: {
    deployments: toReplace,
    intents: {
      ...deposits,
      ...ownership,
      addSolver: "Add a solver",
      creditRefund: "Credit a refund",
      rescue: "Take uncredited money",
      retireSolver: "Retire a solver",
      setAttributor: "Set the attributor",
      setCoSigner: "Set the co-signer",
      setCurrencyLimits: "Set a currency's limits",
      setPaused: "Pause or resume deposits",
      setRecipientListOpen: "Open or close the list",
      setRecipients: "Change the recipients",
      withdrawRefund: "Withdraw a refund",
    },
    sources: ["receiver/ManagedReceiver"],
  },
  OrderReceiver: {
    deployments: toReplace,
    intents: { ...deposits, refundErc20: "Refund an order", sweep: "Send money to refund payee" },
    sources: ["receiver/OrderReceiver"],
  },
  OutputGuard: {
    deployments: onEveryChain(own.OutputGuard),
    intents: { noteBalance: "Note a balance" },
    sources: ["guard/OutputGuard"],
  },
  PinnedReceiver: {
    deployments: toReplace,
    intents: { ...deposits, sweep: "Send money to refund payee" },
    sources: ["receiver/PinnedReceiver"],
  },
  RelayDepository: {
    deployments: productionTrust.chains.flatMap(({ chainId, depository }) =>
      depository === undefined ? [] : [{ address: depository, chainId }],
    ),
    intents: {
      ...ownership,
      depositErc20: "Deposit for an order",
      depositNative: "Deposit for an order",
      execute: "Release deposits",
      setAllocator: "Replace the allocator",
    },
    sources: ["service/RelayDepository"],
  },
};
