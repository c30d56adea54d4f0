import * as entry from "../../../src/svm/index.ts";
import { describeInvalidArguments } from "../../helpers/invalidArguments.ts";
import { addressOf, payer } from "./support/transactions.ts";

const table = addressOf(999);
const keys = [{ isSigner: false, isWritable: true, pubkey: addressOf(3) }];
const instructions = [{ data: "00", keys, programId: addressOf(4) }];
const data = { addressLookupTableAddresses: [table], instructions };

describeInvalidArguments({
  decodeSvmAddress: [{ address: payer }, entry.decodeSvmAddress],
  encodeSvmAddress: [{ bytes: `0x${"12".repeat(32)}` }, entry.encodeSvmAddress],
  isSvmAddress: [{ address: payer }, entry.isSvmAddress],
  measureSvmTransaction: [
    { data, lookupTables: { [table]: [addressOf(3)] }, maxRouteLength: 4, payer },
    entry.measureSvmTransaction,
  ],
});
