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
import { authorize, getQuote } from "../../../src/client/index.ts";
import { signStep } from "../../../src/execute/executeSignatureItem.ts";
import { readWallet } from "../../../src/execute/readWallet.ts";
import { nonceMappingTypes } from "../../../src/perps/nonceMapping.ts";
import type { Eip712Sign } from "../../../src/schema/quote/step.ts";
import { useEmulator } from "../../helpers/emulatorFixture.ts";
import { bridgeIntent, refusalOf } from "../../helpers/quotes/bridgeIntent.ts";
import { signatureOf, takeAuthorizations } from "../../helpers/quotes/permits.ts";
import { requestOf, strayId } from "../../helpers/quotes/quoteChanges.ts";

describe("POST /authorize", () => {
  const fixture = useEmulator();

  async function authorizeAs(index: number, change: { id?: `0x${string}`; walletChainId?: number } = {}) {
    const account = fixture.alpha.wallet(index).account;
    const { address } = fixture.alpha.wallet(0).account;
    const statement = { depositor: address, id: `0x${"0d".repeat(32)}` as const, nonce: 1, ...change };
    if (account.signTypedData === undefined) throw new Error("the account cannot sign");
    const signature = await account.signTypedData({
      domain: { chainId: 31_337, name: "RelayNonceMapping", verifyingContract: zeroAddress, version: "2" },
      message: {
        chainId: "hyperliquid",
        depositor: statement.depositor,
        id: statement.id,
        nonce: 1n,
        wallet: address,
      },
      primaryType: "NonceMapping",
      types: {
        NonceMapping: [
          { name: "chainId", type: "string" },
          { name: "wallet", type: "address" },
          { name: "depositor", type: "address" },
          { name: "id", type: "bytes32" },
          { name: "nonce", type: "uint256" },
        ],
      },
    });
    const call = { ...statement, signature, signatureChainId: 31_337, wallet: address };
    return refusalOf(authorize(fixture.client, { walletChainId: 1337, ...call, ...change }));
  }

  it("rejects a well-signed message that is no order, or no withdrawal from the perps exchange", async () => {
    const unknown = await authorizeAs(0);
    expect(unknown.status).to.equal(400);
    expect(unknown.message).to.include("There is no order with this id");
    const { protocol } = await getQuote(fixture.client, bridgeIntent(fixture));
    const id = protocol?.v2?.orderId as `0x${string}`;
    const other = await authorizeAs(0, { id });
    expect(other.status).to.equal(400);
    expect(other.message).to.include("not a withdrawal from the perps exchange");
  });
});

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
