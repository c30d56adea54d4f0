import * as z from "zod";
import { vmTypeSchema } from "./vmType.ts";
import { chainIdSchema } from "./wireAmount.ts";
import { wireObject } from "./wireObject.ts";

const chainCurrencyFields = {
  id: z.string().optional(),
  symbol: z.string(),
  name: z.string(),
  address: z.string(),
  decimals: z.number().int().nonnegative(),
};

/**
 * A currency in a chain record. It has no chain id: it belongs to the record's chain.
 *
 * @example
 * chainCurrencySchema.parse({
 *   address: "0x0000000000000000000000000000000000000000",
 *   decimals: 18,
 *   name: "Ether",
 *   symbol: "ETH",
 * });
 */
export const chainCurrencySchema = wireObject({
  ...chainCurrencyFields,
  supportsBridging: z.boolean().optional(),
});

/** A currency in a chain record. */
export type ChainCurrency = z.output<typeof chainCurrencySchema>;

/**
 * The service's contracts on a chain. None is promised on every chain.
 *
 * @example
 * chainContractsSchema.parse({ v3: { erc20Router: "0xb92fe925dc43a0ecde6c8b1a2709c170ec4fff4f" } });
 */
export const chainContractsSchema = wireObject({
  multicall3: z.string().nullish(),
  multicaller: z.string().nullish(),
  onlyOwnerMulticaller: z.string().nullish(),
  relayReceiver: z.string().nullish(),
  erc20Router: z.string().nullish(),
  approvalProxy: z.string().nullish(),
  v3: wireObject({ erc20Router: z.string().nullish(), approvalProxy: z.string().nullish() }).nullish(),
});

/** The service's contracts on a chain. */
export type ChainContracts = z.output<typeof chainContractsSchema>;

/**
 * A chain of the service.
 *
 * @example
 * import { createClient, getChains } from "waybill/client";
 *
 * const { chains } = await getChains(createClient());
 * console.log(chains.find((chain) => chain.id === 8453)?.contracts?.v3?.erc20Router);
 */
export const chainSchema = wireObject({
  id: chainIdSchema,
  name: z.string(),
  displayName: z.string(),
  httpRpcUrl: z.string().nullish(),
  wsRpcUrl: z.string().nullish(),
  explorerUrl: z.string().nullish(),
  explorerName: z.string().nullish(),
  iconUrl: z.string().nullish(),
  /** Whether the chain can be a destination. */
  depositEnabled: z.boolean().optional(),
  tokenSupport: z.string().nullish(),
  /** Whether the chain is switched off during an incident. */
  disabled: z.boolean().optional(),
  /** Upper limit in smallest units of the native currency while partly disabled; 0 when it is not. */
  partialDisableLimit: z.number().nullish(),
  blockProductionLagging: z.boolean().optional(),
  /** The chain's native currency. */
  currency: chainCurrencySchema,
  /** Basis points. */
  withdrawalFee: z.number().nullish(),
  /** Basis points. */
  depositFee: z.number().nullish(),
  surgeEnabled: z.boolean().optional(),
  featuredTokens: z
    .array(
      wireObject({
        ...chainCurrencyFields,
        supportsBridging: z.boolean().optional(),
        metadata: wireObject({ logoURI: z.string().nullish() }).nullish(),
      }),
    )
    .optional(),
  erc20Currencies: z
    .array(
      wireObject({
        ...chainCurrencyFields,
        supportsBridging: z.boolean().optional(),
        supportsPermit: z.boolean().optional(),
        withdrawalFee: z.number().nullish(),
        depositFee: z.number().nullish(),
        surgeEnabled: z.boolean().optional(),
      }),
    )
    .optional(),
  solverCurrencies: z.array(wireObject(chainCurrencyFields)).optional(),
  contracts: chainContractsSchema.nullish(),
  vmType: vmTypeSchema,
  /** The chain this one rolls up to. */
  baseChainId: z.number().nullish(),
  solverAddresses: z.array(z.string()).optional(),
  tags: z.array(z.string()).optional(),
  protocol: wireObject({
    v2: wireObject({
      /** The protocol's own name of the chain, such as `base`. */
      chainId: z.string().nullish(),
      depository: z.string().nullish(),
    }).nullish(),
  }).nullish(),
});

/** A chain of the service. */
export type Chain = z.output<typeof chainSchema>;

/**
 * Answer of `GET /chains`.
 *
 * @example
 * chainsResponseSchema.parse({ chains: [] }); // { chains: [] }
 */
export const chainsResponseSchema = wireObject({ chains: z.array(chainSchema) });

/** Answer of `GET /chains`. */
export type ChainsResponse = z.output<typeof chainsResponseSchema>;
