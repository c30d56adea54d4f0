import * as z from "zod/mini";
import { openEnum } from "../wire/openEnum.ts";
import { chainIdSchema, wholeNumber } from "../wire/wireAmount.ts";
import { wireMap, wireObject } from "../wire/wireObject.ts";

/** Every virtual machine type that the service names. */
export const vmTypes = ["bvm", "evm", "svm", "tvm", "tonvm", "hypevm", "lvm", "xrpvm"] as const;

/** One of {@link vmTypes}. */
export type VmType = (typeof vmTypes)[number];

/** A VM type in a response; accepts undocumented values. */
export const vmTypeSchema = openEnum(vmTypes);

const chainCurrencyFields = {
  id: z.optional(z.string()),
  symbol: z.string(),
  name: z.string(),
  address: z.string(),
  decimals: wholeNumber(),
};

/** A currency in a chain record, without a chain id. */
export type ChainCurrency = z.output<typeof chainCurrencySchema>;
export const chainCurrencySchema = wireObject({
  ...chainCurrencyFields,
  supportsBridging: z.optional(z.boolean()),
});

/** The service's contracts on a chain. None is promised on every chain. */
export type ChainContracts = z.output<typeof chainContractsSchema>;
export const chainContractsSchema = wireObject({
  multicall3: z.nullish(z.string()),
  multicaller: z.nullish(z.string()),
  onlyOwnerMulticaller: z.nullish(z.string()),
  relayReceiver: z.nullish(z.string()),
  erc20Router: z.nullish(z.string()),
  approvalProxy: z.nullish(z.string()),
  v3: z.nullish(wireObject({ erc20Router: z.nullish(z.string()), approvalProxy: z.nullish(z.string()) })),
});

/** A chain of the service. */
export type Chain = z.output<typeof chainSchema>;
export const chainSchema = wireObject({
  id: chainIdSchema,
  name: z.string(),
  displayName: z.string(),
  httpRpcUrl: z.nullish(z.string()),
  wsRpcUrl: z.nullish(z.string()),
  explorerUrl: z.nullish(z.string()),
  explorerName: z.nullish(z.string()),
  explorerPaths: z.nullish(
    wireObject({
      transaction: z.nullish(z.string()),
      address: z.nullish(z.string()),
      token: z.nullish(z.string()),
    }),
  ),
  explorerQueryParams: z.nullish(wireMap(z.unknown())),
  iconUrl: z.nullish(z.string()),
  logoUrl: z.nullish(z.string()),
  brandColor: z.nullish(z.string()),
  /** The service's message about the chain during incidents. */
  statusMessage: z.nullish(z.string()),
  /** Whether the chain can be a destination. */
  depositEnabled: z.optional(z.boolean()),
  tokenSupport: z.nullish(z.string()),
  /** Whether the chain is disabled during an incident. */
  disabled: z.optional(z.boolean()),
  /** Limit in smallest units of the native currency while partly disabled; else 0. */
  partialDisableLimit: z.nullish(z.number()),
  blockProductionLagging: z.optional(z.boolean()),
  /** The chain's native currency. */
  currency: chainCurrencySchema,
  /** Basis points. */
  withdrawalFee: z.nullish(z.number()),
  /** Basis points. */
  depositFee: z.nullish(z.number()),
  surgeEnabled: z.optional(z.boolean()),
  featuredTokens: z.optional(
    z.array(
      wireObject({
        ...chainCurrencyFields,
        supportsBridging: z.optional(z.boolean()),
        metadata: z.nullish(wireObject({ logoURI: z.nullish(z.string()) })),
      }),
    ),
  ),
  erc20Currencies: z.optional(
    z.array(
      wireObject({
        ...chainCurrencyFields,
        supportsBridging: z.optional(z.boolean()),
        supportsPermit: z.optional(z.boolean()),
        withdrawalFee: z.nullish(z.number()),
        depositFee: z.nullish(z.number()),
        surgeEnabled: z.optional(z.boolean()),
      }),
    ),
  ),
  solverCurrencies: z.optional(z.array(wireObject(chainCurrencyFields))),
  contracts: z.nullish(chainContractsSchema),
  vmType: z.optional(vmTypeSchema),
  /** Parent chain of a rollup. */
  baseChainId: z.nullish(z.number()),
  solverAddresses: z.optional(z.array(z.string())),
  tags: z.optional(z.array(z.string())),
  protocol: z.nullish(
    wireObject({
      v2: z.nullish(
        wireObject({
          /** The chain's protocol name, such as `base`. */
          chainId: z.nullish(z.string()),
          depository: z.nullish(z.string()),
          depositoryVault: z.nullish(z.string()),
        }),
      ),
    }),
  ),
});

/** Response of `GET /chains`. */
export type ChainsResponse = z.output<typeof chainsResponseSchema>;
export const chainsResponseSchema = wireObject({ chains: z.array(chainSchema) });
