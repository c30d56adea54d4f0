import * as z from "zod";
import { unitsToDecimal } from "../../../../src/internal/amounts.ts";
import type { SvmAccount, SvmMachine } from "../../../chains/svm/createSvmMachine.ts";
import { svmTokens } from "../../../chains/svm/svmCurrencies.ts";
import type { SvmParts } from "../../../chains/svm/svmParts.ts";
import {
  atSlot,
  InvalidSvmParameterError,
  optionsSchema,
  readParams,
  type SvmMethods,
  svmAddressSchema,
} from "./SvmMethod.ts";

const mostAccounts = 100;
const addressParams = z.tuple([svmAddressSchema]).rest(z.unknown());
const addressesParams = z.tuple([z.array(svmAddressSchema).max(mostAccounts)]).rest(z.unknown());
const ownerParams = z
  .tuple([
    svmAddressSchema,
    z.object({ mint: svmAddressSchema }).or(z.object({ programId: svmAddressSchema })),
  ])
  .rest(optionsSchema);

/** Methods on balances and accounts. Account data is base64. */
export function accountMethods({ ledger, packages }: Pick<SvmParts, "ledger" | "packages">): SvmMethods {
  const read = async <Result>(reader: (machine: SvmMachine) => Result | Promise<Result>) => {
    const { slot } = await ledger.head();
    return atSlot(slot, await ledger.read(reader));
  };
  const { token } = packages;
  const tokenAccount = (account: SvmAccount | undefined) => {
    if (account?.owner !== token.TOKEN_PROGRAM_ADDRESS || account.data.length !== token.getTokenSize()) {
      throw new InvalidSvmParameterError("not a Token account");
    }
    return token.getTokenDecoder().decode(account.data);
  };
  return {
    getAccountInfo: async (params) => {
      const [address] = readParams(addressParams, params);
      return read((machine) => accountJson(machine.account(address)));
    },
    getBalance: async (params) => {
      const [address] = readParams(addressParams, params);
      return read((machine) => Number(machine.account(address)?.lamports ?? 0n));
    },
    getMultipleAccounts: async (params) => {
      const [addresses] = readParams(addressesParams, params);
      return read((machine) => addresses.map((address) => accountJson(machine.account(address))));
    },
    getTokenAccountBalance: async (params) => {
      const [address] = readParams(addressParams, params);
      return read((machine) => {
        const { amount, mint } = tokenAccount(machine.account(address));
        return tokenAmount(amount, mint);
      });
    },
    getTokenAccountsByOwner: async (params) => {
      const [owner, filter] = readParams(ownerParams, params);
      const mints = "mint" in filter ? [filter.mint] : svmTokens.map(({ address }) => address);
      return read(async (machine) => {
        const found = await Promise.all(mints.map((mint) => machine.tokenAccount({ mint, owner })));
        return found.flatMap((each) =>
          each === undefined ? [] : [{ account: accountJson(each.account), pubkey: each.address }],
        );
      });
    },
    getTokenSupply: async (params) => {
      const [address] = readParams(addressParams, params);
      return read((machine) => {
        const account = machine.account(address);
        if (account?.data.length !== token.getMintSize())
          throw new InvalidSvmParameterError("not a Token mint");
        return tokenAmount(token.getMintDecoder().decode(account.data).supply, address);
      });
    },
  };
}

function accountJson(account: SvmAccount | undefined) {
  if (account === undefined) return null;
  const { data, executable, lamports, owner } = account;
  return {
    data: [Buffer.from(data).toString("base64"), "base64"],
    ...{ executable, owner },
    lamports: Number(lamports),
    rentEpoch: 0,
    space: data.length,
  };
}

/** An amount of a token in the form of the JSON-RPC. */
export function tokenAmount(amount: bigint, mint: string) {
  const decimals = svmTokens.find(({ address }) => address === mint)?.decimals ?? 0;
  const uiAmountString = unitsToDecimal(amount, decimals);
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString };
}
