import { type Address, type Hex, hashTypedData, type TypedDataParameter, zeroAddress } from "viem";
import { lowerHex } from "../../../../src/internal/lowerHex.ts";
import { exchangeChainId } from "../../../../src/perps/constants.ts";
import { exchangeName, nonceMappingTypes } from "../../../../src/perps/nonceMapping.ts";
import { recoverSigner } from "../../../../src/records/recoverSigner.ts";
import {
  type AuthorizeRequest,
  authorizeRequestSchema,
  signatureQuerySchema,
} from "../../../../src/schema/quote/submission.ts";
import { type Submission, submissionSchema } from "../../../../src/schema/quote/submissionResponse.ts";
import { quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { acceptMapping } from "../../../solver/ledgers/exchange/acceptMapping.ts";
import { type Deps, defineRoute, errorAnswer, type Route } from "../../route/Route.ts";

/**
 * `POST /authorize` (specification, "POST to the step `post.endpoint`"): stores which nonce of the perps exchange pays for an
 * order.
 */
export function authorizeRoutes({ context, solver }: Deps): readonly Route[] {
  return [
    defineRoute({
      endpoint: "POST /authorize",
      operationId: "authorize",
      tag: "Execution",
      summary: "Submits the nonce mapping of a withdrawal from the perps exchange",
      description: "Links the transfer with this nonce to the order. The same statement is accepted again.",
      query: signatureQuerySchema,
      body: authorizeRequestSchema,
      notes: { signature: "The wallet's signature of the nonce mapping." },
      answers: {
        200: { body: submissionSchema, description: "The statement is stored" },
        400: {
          body: quoteErrorSchema,
          description: "Not signed by the wallet, or not for an order that it can pay",
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
        const nonce = Number(body.nonce);
        if (!Number.isSafeInteger(nonce)) return refuse("`nonce` is not a time in milliseconds");
        const refusal = await acceptMapping(
          {
            depositor: body.depositor ?? wallet.data,
            nonce: BigInt(nonce),
            orderId: body.id,
            signature,
            signatureChainId: body.signatureChainId,
            wallet: wallet.data,
          },
          context,
        );
        if (refusal !== undefined) return refuse(refusal);
        solver.wake();
        return http.json({ message: "Success" } satisfies Submission);
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
  // The encoder would verify mixed case as a checksum, which the service ignores.
  const message = { chainId: exchangeName, id, nonce: BigInt(nonce), wallet: lowerHex(statement.wallet) };
  return statement.depositor === undefined
    ? hashTypedData({
        domain: { ...domain, version: "1" },
        message,
        primaryType: "NonceMapping",
        types: firstTypes,
      })
    : hashTypedData({
        domain: { ...domain, version: "2" },
        message: { ...message, depositor: lowerHex(statement.depositor) },
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
