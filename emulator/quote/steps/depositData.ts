import { type Address, type Hex, numberToHex, zeroAddress } from "viem";
import { addressWord } from "../../chains/rpc.ts";

/** Selectors of the depository's functions. */
const depositNative = "0x49290c1c";
const depositErc20 = "0xe8017952";
const depositErc20Allowed = "0x5a1ee3ac";

/** Arguments of a deposit. */
export type DepositParameters = {
  readonly depositor: Address;
  readonly currency: Address;
  /** Smallest units. @default the whole allowance of a token; the value of native currency */
  readonly amount?: bigint | undefined;
  /** The orderId. */
  readonly id: Hex;
};

/** Calldata of a deposit into the depository. */
export function depositData({ amount, currency, depositor, id }: DepositParameters): Hex {
  const head = addressWord(depositor);
  if (currency === zeroAddress) return `${depositNative}${head}${id.slice(2)}`;
  const token = addressWord(currency);
  if (amount === undefined) return `${depositErc20Allowed}${head}${token}${id.slice(2)}`;
  return `${depositErc20}${head}${token}${numberToHex(amount, { size: 32 }).slice(2)}${id.slice(2)}`;
}
