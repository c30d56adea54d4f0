import type { Hex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { hashDepositWitness, permit2TypedData } from "../../../src/records/depositWitness.ts";
import { encodeRecord, hashRecord, signRecord } from "../../../src/records/encodeRecord.ts";
import { explainTerms } from "../../../src/records/explainTerms.ts";
import { hashOrder, signOrder } from "../../../src/records/hashOrder.ts";
import { formatOrder, normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import type { Order } from "../../../src/records/Order.ts";
import { encodeOrderAddress } from "../../../src/records/orderAddress.ts";
import {
  decodeOrderCall,
  decodeOrderExtraData,
  encodeOrderCall,
  encodeOrderExtraData,
  type OrderCall,
} from "../../../src/records/orderCall.ts";
import { hashOrderDepositWitness, orderPermit2TypedData } from "../../../src/records/orderDepositWitness.ts";
import { type OrderTerms, orderTerms } from "../../../src/records/orderTerms.ts";
import { recoverOrderSigner, recoverSigner } from "../../../src/records/recoverSigner.ts";
import {
  recordFromResponse,
  recordWord,
  type SignatureRecord,
} from "../../../src/records/SignatureRecord.ts";
import { verifyOrder } from "../../../src/records/verifyOrder.ts";
import { verifyRecord } from "../../../src/records/verifyRecord.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { publishedOrder, publishedRecord, publishedWireOrder, record } from "./support/vectors.ts";

const { order, orderId } = publishedOrder("order-base-arbitrum");
const { orderData } = publishedWireOrder("order-base-arbitrum");
const { signature, signer: solver } = publishedRecord;
const { requestData, requestId } = publishedRecord;
const account = mnemonicToAccount("test test test test test test test test test test test junk");
const call: OrderCall = { data: "0x12", to: solver, value: 1n };
const permit = { deadline: 1n, nonce: 1n, receiver: solver };

const terms: OrderTerms = {
  amount: 1n,
  currency: solver,
  destinationChain: "arbitrum",
  latestDeadline: 2n,
  minimumAmount: 1n,
  originChain: "base",
  outputCurrency: "any",
  recipient: solver,
  refundTo: solver,
  solver,
};
const quote = { protocol: { v2: { orderData, orderSignature: signature } } };

describeInvalidArguments({
  decodeOrderCall: [{ call: encodeOrderCall({ call }) }, decodeOrderCall],
  decodeOrderExtraData: [{ extraData: order.output.extraData }, decodeOrderExtraData],
  encodeOrderAddress: [{ address: solver, vmType: "evm" }, encodeOrderAddress],
  encodeOrderCall: [{ call }, encodeOrderCall],
  encodeOrderExtraData: [{ fillContract: solver }, encodeOrderExtraData],
  encodeRecord: [{ record }, encodeRecord],
  explainTerms: [{ order, signature, terms }, explainTerms],
  formatOrder: [{ order, vmTypes: { base: "evm" } }, formatOrder],
  hashDepositWitness: [{ receiver: solver, record }, hashDepositWitness],
  hashOrder: [{ order }, hashOrder],
  hashOrderDepositWitness: [{ order, receiver: solver }, hashOrderDepositWitness],
  hashRecord: [{ record }, hashRecord],
  normalizeOrder: [{ orderData, vmTypes: { base: "evm" } }, normalizeOrder],
  orderPermit2TypedData: [{ chainId: 8453, ...permit, order }, orderPermit2TypedData],
  orderTerms: [{ quote, terms }, orderTerms],
  permit2TypedData: [{ ...permit, record }, permit2TypedData],
  recordFromResponse: [{ requestData, requestId }, recordFromResponse],
  recordWord: [{ address: solver }, ({ address }: { address: Hex }) => recordWord(address)],
  recoverOrderSigner: [{ orderId, signature }, recoverOrderSigner],
  recoverSigner: [{ digest: orderId, signature }, recoverSigner],
  signOrder: [{ order }, ({ order: given }: { order: Order }) => signOrder({ account, order: given })],
  signRecord: [
    { record },
    ({ record: given }: { record: SignatureRecord }) => signRecord({ account, record: given }),
  ],
  verifyOrder: [{ order, orderId, signature, solver }, verifyOrder],
  verifyRecord: [{ record, signature, solver }, verifyRecord],
});
