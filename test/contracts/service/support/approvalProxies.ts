import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
import {
  type ContractTransactionResponse,
  type Overrides,
  type Signer,
  TypedDataEncoder,
  ZeroAddress,
} from "ethers";
import type { RelayApprovalProxyV2_1, RelayApprovalProxyV3 } from "../../../../typechain-types/index.ts";
import {
  domainOf,
  inAnHour,
  signAuthorization,
  signPermit,
} from "../../../helpers/contracts/ownerSignatures.ts";
import { PERMIT2_ADDRESS, placePermit2 } from "../../../helpers/contracts/permit2.ts";
import { deployRouter, METADATA, type RouterCall, type RouterVersion, routerCall } from "./routers.ts";

export const PROXY_VERSIONS = ["RelayApprovalProxyV3", "RelayApprovalProxyV2_1"] as const;
export type ProxyVersion = (typeof PROXY_VERSIONS)[number];

/** The amount that the user signs or approves, in the token's smallest unit. */
export const AMOUNT = 300n;

const ROUTERS: Record<ProxyVersion, RouterVersion> = {
  RelayApprovalProxyV3: "RelayRouterV3",
  RelayApprovalProxyV2_1: "RelayRouterV2_1",
};

/** A proxy of either version with its router, the real Permit2, and a user who holds two tokens. */
export async function deployApprovalProxy(ethers: HardhatEthers, version: ProxyVersion) {
  const [owner, user, recipient, relayer] = await ethers.getSigners();
  if (!owner || !user || !recipient || !relayer) throw new Error("The local chain has too few accounts.");
  const routing = await deployRouter(ethers, ROUTERS[version]);
  const permit2 = await placePermit2(ethers);
  const args = [owner.address, await routing.router.getAddress(), PERMIT2_ADDRESS];
  const deployed = await ethers.deployContract(version as string, args);
  const proxy = deployed as unknown as RelayApprovalProxyV3 | RelayApprovalProxyV2_1;
  const token = await ethers.deployContract("LocalToken", ["Dollar", "USD", 6, owner.address]);
  const bearer = await ethers.deployContract("AuthorizationToken");
  await token.mint(user, 1_000n);
  await bearer.mint(user, 1_000n);
  const addresses = {
    proxy: await proxy.getAddress(),
    router: args[1] as string,
    token: await token.getAddress(),
    bearer: await bearer.getAddress(),
  };
  const { as: _as, ...router } = routing;
  return {
    ...{ version, ethers, proxy, token, bearer, permit2, addresses, owner, user, recipient, relayer },
    ...router,
    deadline: await inAnHour(ethers),
  };
}

export type ApprovalProxy = Awaited<ReturnType<typeof deployApprovalProxy>>;

/** Arguments after the payment in every function: the calls and the recipients of the rest. */
export interface Terms {
  readonly calls: readonly RouterCall[];
  readonly refundTo: unknown;
  readonly nftRecipient: unknown;
  /** Metadata; version 2.1 takes none. */
  readonly metadata: string;
}

/** The terms that a user signs: the whole amount goes from the router to the recipient, in two calls. */
export async function termsOf(
  { recipient, addresses, token, bearer }: ApprovalProxy,
  of: "token" | "bearer",
) {
  const { interface: abi } = of === "token" ? token : bearer;
  const calls = [AMOUNT - 100n, 100n].map((amount) =>
    routerCall(
      addresses[of],
      abi.encodeFunctionData("transfer" as never, [recipient.address, amount] as never),
    ),
  );
  return { calls, refundTo: recipient.address, nftRecipient: ZeroAddress, metadata: METADATA };
}

/** Calls a function of the proxy with its own arguments, the terms, and the last arguments. */
export function run(
  { proxy, version }: ApprovalProxy,
  name: string,
  payment: readonly unknown[],
  { calls, refundTo, nftRecipient, metadata }: Terms,
  {
    caller,
    signature,
    overrides = {},
  }: { readonly caller?: Signer; readonly signature?: string; readonly overrides?: Overrides } = {},
): Promise<ContractTransactionResponse> {
  const connected = caller === undefined ? proxy : proxy.connect(caller);
  const last = [
    ...(version === "RelayApprovalProxyV3" ? [metadata] : []),
    ...(signature === undefined ? [] : [signature]),
  ];
  return connected.getFunction(name)(...payment, calls, refundTo, nftRecipient, ...last, overrides);
}

/** The witness that a user signs with a transfer, for submission by the relayer. */
function witnessOf({ relayer, version }: ApprovalProxy, { calls, metadata, ...payees }: Terms) {
  const hasMetadata = version === "RelayApprovalProxyV3";
  const types = {
    RelayerWitness: [
      { name: "relayer", type: "address" },
      { name: "refundTo", type: "address" },
      { name: "nftRecipient", type: "address" },
      ...(hasMetadata ? [{ name: "metadata", type: "bytes" }] : []),
      { name: "call3Values", type: "Call3Value[]" },
    ],
    Call3Value: [
      { name: "target", type: "address" },
      { name: "allowFailure", type: "bool" },
      { name: "value", type: "uint256" },
      { name: "callData", type: "bytes" },
    ],
  };
  const value = { relayer: relayer.address, ...payees, metadata, call3Values: calls };
  return { types, value, hash: () => TypedDataEncoder.from(types).hash(value) };
}

/** The user's permit of the amount for the proxy. */
export async function signProxyPermit({ ethers, user, addresses, deadline }: ApprovalProxy) {
  const domain = { address: addresses.token, name: "Dollar" };
  const owner = user.address;
  const fields = { owner, spender: addresses.proxy, value: AMOUNT, nonce: 0n, deadline };
  const { r, s, v } = await signPermit(ethers, user, domain, fields);
  return { token: addresses.token, owner, value: AMOUNT, nonce: 0n, deadline, v, r, s };
}

/** The user's batch transfer of Permit2, with the terms as its witness. */
export async function signBatchTransfer(all: ApprovalProxy, terms: Terms) {
  const { ethers, user, addresses, deadline } = all;
  const permit = { permitted: [{ token: addresses.token, amount: AMOUNT }], nonce: 256n, deadline };
  const witness = witnessOf(all, terms);
  const types = {
    PermitBatchWitnessTransferFrom: [
      { name: "permitted", type: "TokenPermissions[]" },
      { name: "spender", type: "address" },
      { name: "nonce", type: "uint256" },
      { name: "deadline", type: "uint256" },
      { name: "witness", type: "RelayerWitness" },
    ],
    TokenPermissions: [
      { name: "token", type: "address" },
      { name: "amount", type: "uint256" },
    ],
    ...witness.types,
  };
  const domain = await domainOf(ethers, PERMIT2_ADDRESS, "Permit2");
  const signed = { ...permit, spender: addresses.proxy, witness: witness.value };
  return { permit, signature: await user.signTypedData(domain, types, signed) };
}

/** The user's ERC-3009 authorization, whose nonce is the hash of the terms. */
export async function signBearer(all: ApprovalProxy, terms: Terms) {
  const { ethers, user, addresses, deadline } = all;
  const nonce = witnessOf(all, terms).hash();
  const fields = { from: user.address, value: AMOUNT, validAfter: 0n, validBefore: deadline };
  const domain = { address: addresses.bearer, name: "Authorization" };
  const signed = { ...fields, to: addresses.proxy, nonce };
  const { r, s, v } = await signAuthorization(ethers, user, domain, signed);
  return { nonce, permits: [{ ...fields, v, r, s }] };
}
