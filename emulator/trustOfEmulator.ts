import type { TrustedChain, TrustRoots } from "../src/calls/verify/TrustRoots.ts";
import type { EmulatorInfo } from "./describe.ts";

/** The token that the solver takes as a deposit, besides native currency. */
const depositSymbol = "USDC";

/**
 * Returns the trust roots for proofs of an emulator's quotes: its contracts and its solver. They come from the start-up
 * document, not from the API under proof.
 *
 * @param info `emulator.info`, or the document of `--out`.
 *
 * @example
 * import { startEmulator, trustOfEmulator } from "@waybill/emulator";
 *
 * const emulator = await startEmulator({ chainPorts: [0, 0], port: 0 });
 * const trust = trustOfEmulator(emulator.info);
 * console.log(trust.chains.map(({ name }) => name)); // ["alpha", "beta"]
 * await emulator.stop();
 */
export function trustOfEmulator({ chains, solver }: Pick<EmulatorInfo, "chains" | "solver">): TrustRoots {
  return { chains: chains.map(trustedChain), solvers: [solver] };
}

function trustedChain({
  contracts,
  currencies,
  id,
  name,
  vmType,
  wrappedNative,
}: EmulatorInfo["chains"][number]): TrustedChain {
  const { depository, outputGuard, permit2, relayReceiver } = contracts;
  return {
    chainId: id,
    depositCurrencies: currencies
      .filter(({ symbol }) => symbol === depositSymbol)
      .map(({ address }) => address),
    depository,
    name,
    outputGuard,
    permit2,
    relayReceiver,
    routers: [
      { approvalProxy: contracts.v3.approvalProxy, router: contracts.v3.erc20Router, version: "v3" },
      { approvalProxy: contracts.approvalProxy, router: contracts.erc20Router, version: "v2.1" },
    ],
    vmType,
    wrappedNative,
  };
}
