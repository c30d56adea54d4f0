import { type Address, type Hex, hashTypedData, type TypedDataParameter, zeroAddress } from "viem";
import { exchangeChainId } from "../../../../src/perps/constants.ts";
import { exchangeName, nonceMappingTypes } from "../../../../src/perps/nonceMapping.ts";
import { recoverSigner } from "../../../../src/records/recoverSigner.ts";
import {
  type AuthorizeRequest,
  authorizeRequestSchema,
  signatureQuerySchema,
} from "../../../../src/schema/quote/submission.ts";
import { quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { findRequestByOrder } from "../../../requests/findRequest.ts";
import { errorAnswer } from "../../body/errorBody.ts";
import { type Deps, defineRoute, type Route } from "../../route/Route.ts";

/**
 * `POST /authorize` (specification, "POST to the step `post.endpoint`"). The emulator has no perps exchange, so a correctly
 * signed nonce mapping never names a withdrawal. It is refused with that reason.
 */
export function authorizeRoutes({ context }: Deps): readonly Route[] {
  return [
    defineRoute({
      method: "post",
      path: "/authorize",
      operationId: "authorize",
      tag: "Execution",
      summary: "Submits the nonce mapping of a withdrawal from the perps exchange",
      description:
        "The emulator has no perps exchange: it checks the signature and answers with the reason of the refusal.",
      query: signatureQuerySchema,
      body: authorizeRequestSchema,
      notes: { signature: "The wallet's signature of the nonce mapping." },
      answers: {
        400: {
          body: quoteErrorSchema,
          description: "Not signed by the wallet, or for an unknown order",
          errorCodes: ["INVALID_REQUEST"],
        },
      },
      handle: async ({ body, http, query: { signature } }) => {
        const refuse = (message: string) => errorAnswer(http, 400, message, { errorCode: "INVALID_REQUEST" });
        if (body.walletChainId !== exchangeChainId) {
          return refuse(`\`walletChainId\` must be ${exchangeChainId}, the perps exchange`);
        }
        const wallet = evmAddressSchema.safeParse(body.wallet);
        if (!wallet.success) return refuse("`wallet` is not an EVM address");
        if (!(await isSignedByWallet({ ...body, wallet: wallet.data }, signature))) {
          return refuse("The signature is not the wallet's signature of this nonce mapping");
        }
        const request = await findRequestByOrder(context.store, body.id);
        return refuse(
          request === undefined
            ? "There is no order with this id"
            : "The order is not a withdrawal from the perps exchange",
        );
      },
    }),
  ];
}

const { NonceMapping } = nonceMappingTypes;
/** The first version of the typed data has no depositor. */
const firstTypes: Readonly<Record<string, readonly TypedDataParameter[]>> = {
  NonceMapping: NonceMapping.filter(({ name }) => name !== "depositor"),
};

/** A statement of which nonce on the perps exchange belongs to an order. */
export type NonceMappingStatement = Pick<
  AuthorizeRequest,
  "depositor" | "id" | "nonce" | "signatureChainId"
> & {
  readonly wallet: Address;
};

/**
 * EIP-712 hash that the owner of `wallet` signs (specification, "Perps-exchange integration"). Without a depositor, it is
 * of the first version of the typed data.
 */
export function hashNonceMapping(statement: NonceMappingStatement): Hex {
  const { id, nonce, signatureChainId } = statement;
  const domain = {
    chainId: signatureChainId,
    name: "RelayNonceMapping",
    verifyingContract: zeroAddress,
  } as const;
  const message = { chainId: exchangeName, id, nonce: BigInt(nonce), wallet: lowerCase(statement.wallet) };
  return statement.depositor === undefined
    ? hashTypedData({
        domain: { ...domain, version: "1" },
        message,
        primaryType: "NonceMapping",
        types: firstTypes,
      })
    : hashTypedData({
        domain: { ...domain, version: "2" },
        message: { ...message, depositor: lowerCase(statement.depositor) },
        primaryType: "NonceMapping",
        types: nonceMappingTypes,
      });
}

/** Whether `wallet` signed the statement. */
export async function isSignedByWallet(statement: NonceMappingStatement, signature: Hex): Promise<boolean> {
  const digest = hashNonceMapping(statement);
  const signer = await recoverSigner({ digest, signature }).catch(() => undefined);
  return signer?.toLowerCase() === statement.wallet.toLowerCase();
}

/** The encoder would verify mixed case as a checksum, which the service ignores. */
function lowerCase(address: Address): Address {
  return address.toLowerCase() as Address;
}
