import { exchangeChainId } from "../../../../src/perps/constants.ts";
import { authorizeRequestSchema, signatureQuerySchema } from "../../../../src/schema/quote/submission.ts";
import { quoteErrorSchema } from "../../../../src/schema/wire/errorBody.ts";
import { evmAddressSchema } from "../../../../src/schema/wire/hex.ts";
import { isSignedByWallet } from "../../../perps/nonceMapping.ts";
import { findRequestByOrder } from "../../../requests/findRequest.ts";
import { errorAnswer } from "../../body/errorBody.ts";
import type { Deps } from "../../route/Deps.ts";
import { defineRoute, type Route } from "../../route/Route.ts";

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
