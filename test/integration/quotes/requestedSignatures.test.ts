import { expect } from "chai";
import { JsonRpcProvider, Wallet } from "ethers";
import {
  getTypesForEIP712Domain,
  hashTypedData,
  recoverAddress,
  type TypedDataDefinition,
  type TypedDataDomain,
  zeroAddress,
} from "viem";
import { getQuote } from "../../../src/client/index.ts";
import { signStep } from "../../../src/execute/executeSignatureItem.ts";
import { readWallet } from "../../../src/execute/readWallet.ts";
import { nonceMappingTypes } from "../../../src/perps/nonceMapping.ts";

import type { Eip712Sign } from "../../../src/schema/quote/step.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { signatureOf, takeAuthorizations } from "../../helpers/quotes/permits.ts";

import { requestOf, strayId } from "../../helpers/quotes/quoteChanges.ts";

/** Variants of a domain's own type in a quote: absent, present, reordered. */
const changes = {
  "no domain type": (sign: Eip712Sign) => sign.types,
  "the usual domain type": (sign: Eip712Sign) => ({ ...sign.types, EIP712Domain: domainTypeOf(sign) }),
  "a reversed domain type": (sign: Eip712Sign) => ({
    ...sign.types,
    EIP712Domain: domainTypeOf(sign).reverse(),
  }),
  "a domain type without the chain": (sign: Eip712Sign) => ({
    ...sign.types,
    EIP712Domain: domainTypeOf(sign).filter(({ name }) => name !== "chainId"),
  }),
} as const;

function domainTypeOf({ domain }: Eip712Sign): { name: string; type: string }[] {
  return [...getTypesForEIP712Domain({ domain: domain as TypedDataDomain })];
}

describe("the signatures that quotes request", () => {
  let provider: JsonRpcProvider;
  const fixture = useEmulator();
  before(async () => {
    provider = new JsonRpcProvider(fixture.alpha.info.rpcUrl, fixture.alpha.info.id, { staticNetwork: true });
  });
  after(() => provider.destroy());

  /** Quotes of each kind. */
  async function kinds(): Promise<Eip712Sign[]> {
    const signOf = async (from: "USDC" | "USDT") => {
      const request = requestOf(fixture, from, "USDC", { usePermit: true });
      return signatureOf(await getQuote(fixture.client, request)).sign;
    };
    const [authorization, permit2] = [await signOf("USDC"), await signOf("USDT")];
    const restore = await takeAuthorizations(fixture.alpha);
    const permit = await signOf("USDC").finally(restore);
    const user = fixture.alpha.wallet(0).account.address;
    const mapping = {
      domain: { chainId: 1, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
      primaryType: "NonceMapping",
      signatureKind: "eip712",
      types: structuredClone(nonceMappingTypes) as unknown as Eip712Sign["types"],
      value: { chainId: "hyperliquid", depositor: user, id: strayId, nonce: 1_777_339_792, wallet: user },
    } as const satisfies Eip712Sign;
    return [authorization, permit, permit2, mapping];
  }

  it("Q17: viem and ethers compute one digest, for every kind and any domain type of the quote", async () => {
    const { alpha } = fixture;
    const account = alpha.wallet(0).account;
    const key = alpha.info.accounts[0]?.privateKey ?? "0x";
    const given = [alpha.wallet(0), new Wallet(key, provider)];
    const wallets = await Promise.all(given.map((wallet) => readWallet(wallet, alpha.reader)));
    const signed = await kinds();
    expect(signed.map(({ primaryType }) => primaryType)).to.deep.equal([
      "ReceiveWithAuthorization",
      "Permit",
      "PermitBatchWitnessTransferFrom",
      "NonceMapping",
    ]);
    for (const sign of signed) {
      const { domain, primaryType, types, value: message } = sign;
      const { EIP712Domain: _, ...own } = types;
      const typedData: unknown = { domain, message, primaryType, types: own };
      const digest = hashTypedData(typedData as TypedDataDefinition);
      for (const [name, change] of Object.entries(changes)) {
        const step = { sign: { ...sign, types: change({ ...sign, types: own }) }, stepId: "authorize" };
        const [byViem, byEthers] = await Promise.all(wallets.map((wallet) => signStep({ wallet }, step)));
        expect(byViem, `${primaryType} with ${name}`).to.equal(byEthers);
        expect(await recoverAddress({ hash: digest, signature: byViem ?? "0x" }), name).to.equal(
          account.address,
        );
      }
    }
  });
});
