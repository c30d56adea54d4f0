import { Hono } from "hono";
import { evmAddressSchema } from "../../../src/schema/hex.ts";
import { authorizeRequestSchema, signatureQuerySchema } from "../../../src/schema/submission.ts";
import { exchangeChainId, isSignedByWallet } from "../../perps/nonceMapping.ts";
import { findRequestByOrder } from "../../store/findRequest.ts";
import type { Deps } from "../Deps.ts";
import { errorAnswer } from "../errorBody.ts";
import { readJson, readQuery } from "../readJson.ts";

/**
 * `POST /authorize` (specification, "POST to the step `post.endpoint`"). No chain here is the perps exchange, so the order of
 * a well-signed statement is never one of its withdrawals; it is refused with the reason.
 */
export function authorizeRoute({ context }: Deps): Hono {
  return new Hono().post("/authorize", async (http) => {
    const { signature } = readQuery(http, signatureQuerySchema);
    const body = await readJson(http, authorizeRequestSchema);
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
  });
}
