import { getAddress, isAddress } from "viem";
import * as z from "zod/mini";
import { evmAddressSchema, textSchema } from "../../schema/wire/hex.ts";
import { wholeNumber } from "../../schema/wire/wireAmount.ts";

/** With its checksum: encoders refuse an address whose letter case contradicts it. */
const address = evmAddressSchema.check(
  z.overwrite((text) => (isAddress(text, { strict: false }) ? getAddress(text.toLowerCase()) : text)),
);
const contract = z.optional(address);

function listOf<Item extends z.ZodMiniType>(item: Item) {
  return z.array(item) as unknown as z.ZodMiniType<readonly z.output<Item>[]>;
}

const routerSchema = z.object({
  version: z.enum(["v2.1", "v3"]),
  router: address,
  approvalProxy: address,
});

const chainSchema = z.object({
  chainId: wholeNumber(),
  /** The chain's name in orders. */
  name: textSchema,
  /** Default `evm`. Only an EVM chain can be the origin. */
  vmType: z.optional(z.string()),
  /** Receives deposits for orders. */
  depository: contract,
  /** Forwards native payments under a request id to the solver. */
  relayReceiver: contract,
  routers: listOf(routerSchema),
  permit2: contract,
  wrappedNative: contract,
  /** Waybill's `OutputGuard`. Set it only on chains where it is deployed: a call to an account without code succeeds. */
  outputGuard: contract,
  /** Currencies that a swap may produce for the deposit, besides native currency. Refunds are paid in the deposited one. */
  depositCurrencies: z.optional(listOf(address)),
});

/** A valid {@link TrustRoots}. */
export const trustSchema = z.object({
  chains: listOf(chainSchema),
  /** Trusted signers of orders and records, on every chain. */
  solvers: listOf(address),
});

/** A router and its approval proxy. */
export type TrustedRouter = Readonly<z.output<typeof routerSchema>>;

/** The contracts of one chain, by role. Payments that need a missing role are rejected. */
export type TrustedChain = Readonly<z.output<typeof chainSchema>>;

/** Trust anchors of a proof. They must not come from the API that quotes. */
export type TrustRoots = Readonly<z.output<typeof trustSchema>>;
