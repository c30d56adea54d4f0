import { type Address, erc20Abi, type Hex, parseEther, zeroAddress } from "viem";
import { balanceProxyAbi } from "../../src/abi/BalanceProxy.ts";
import { localVaultAbi } from "../../src/abi/LocalVault.ts";
import { pinnedReceiverAbi } from "../../src/abi/PinnedReceiver.ts";
import { calls } from "../../src/calls/calls.ts";
import { balanceOf } from "../../src/calls/liveBalance.ts";
import {
  type Client,
  getQuote,
  getSignature,
  type StatusStream,
  waitForRequest,
} from "../../src/client/index.ts";
import { recordFromResponse, recordWord, type SignatureRecord } from "../../src/records/SignatureRecord.ts";
import { check, fact, shown, title } from "./report.ts";
import { deploy, type Side, tokenOf } from "./world.ts";

/** Contracts of the demo on both chains. */
export type Stage = {
  readonly client: Client;
  readonly origin: Side;
  readonly destination: Side;
  /** PinnedReceiver on the origin chain, bound to its caller. */
  readonly receiver: Address;
  /** The same on the destination chain: the wrong place to pay. */
  readonly receiverElsewhere: Address;
  readonly proxy: Address;
  /** Reports the progress of a request. */
  readonly stream: StatusStream;
  readonly vault: Address;
};

/** A payable request: its record and the solver's signature. */
export type Signed = { readonly record: SignatureRecord; readonly signature: Hex };

const payment = parseEther("1");
const bindToCaller = 1;

/** Deploys an integrator's contracts: a receiver on each chain, a proxy and a vault on the destination. */
export async function setStage(
  { client, stream }: Pick<Stage, "client" | "stream">,
  solver: Address,
  origin: Side,
  destination: Side,
): Promise<Stage> {
  const receiverOn = (side: Side) =>
    deploy(side, "receiver/PinnedReceiver", [
      solver,
      side.info.contracts.relayReceiver,
      bindToCaller,
      zeroAddress,
    ]);
  return {
    client,
    destination,
    origin,
    proxy: await deploy(destination, "proxy/BalanceProxy"),
    receiver: await receiverOn(origin),
    receiverElsewhere: await receiverOn(destination),
    stream,
    vault: await deploy(destination, "service/currencies/LocalVault", [
      tokenOf(destination, "USDC").address,
      "Vault of USDC",
      "vUSDC",
    ]),
  };
}

/** Quotes paying native money on the origin and depositing whatever arrives into the vault, and fetches the signature. */
export async function quoteDeposit(stage: Stage): Promise<Signed & { expected: bigint; minimum: bigint }> {
  const { client, destination, origin, proxy, vault } = stage;
  const user = origin.payer.account.address;
  const token = tokenOf(destination, "USDC").address;
  const { txs } = calls({ proxy, router: destination.info.contracts.v3.erc20Router })
    .proxyStep({
      abi: localVaultAbi,
      address: vault,
      args: [balanceOf(token), user],
      functionName: "deposit",
      recipient: user,
      token,
    })
    .sweepErc20s({ recipient: user, tokens: [token] });
  const quote = await getQuote(client, {
    amount: payment,
    destinationChainId: destination.info.id,
    destinationCurrency: token,
    originChainId: origin.info.id,
    originCurrency: zeroAddress,
    recipient: user,
    tradeType: "EXACT_INPUT",
    txs: [...txs],
    user,
  });
  const requestId = quote.steps[0]?.requestId as Hex | undefined;
  if (requestId === undefined) throw new Error("the quote has no requestId");
  const { requestData, signature } = await getSignature(client, { requestId });
  const { currencyOut } = quote.details;
  return {
    expected: BigInt(currencyOut.amount),
    minimum: BigInt(currencyOut.minimumAmount ?? currencyOut.amount),
    record: recordFromResponse({ requestData, requestId }),
    signature,
  };
}

/** Pays through the validating receiver and follows the money into the vault. */
export async function cross(stage: Stage): Promise<Signed> {
  const { destination, origin, vault } = stage;
  const user = origin.payer.account.address;
  const token = tokenOf(destination, "USDC");
  title("Quote: pay native on alpha, deposit whatever arrives into a vault on beta");
  const signed = await quoteDeposit(stage);
  const { record, signature } = signed;
  fact("request", record.requestId);
  fact("to pay", shown(record.originAmount, 18, "ETH"));
  fact("to arrive", shown(signed.expected, token.decimals, token.symbol));
  fact("calls on beta", "approve the proxy, proxy → vault, revoke, sweep");
  fact("solver's signature", `${signature.slice(0, 20)}… (${signature.length / 2 - 1} bytes)`);
  check(record.originAmount === payment, "the record is for the amount that was asked for");

  title("Deposit through PinnedReceiver");
  const hash = await origin.payer.writeContract({
    ...depositCall(stage.receiver, signed),
    value: record.originAmount,
  });
  const receipt = await origin.reader.waitForTransactionReceipt({ hash });
  check(receipt.status === "success", "the deposit is accepted");
  fact("transaction", hash);
  fact("gas", receipt.gasUsed.toLocaleString("en"));

  title("Statuses as they come");
  const sharesBefore = await sharesOf(stage, user);
  const seen: string[] = [];
  const outcome = await waitForRequest(stage.client, {
    onStatus: ({ status }) => {
      seen.push(status);
      fact(status, "");
    },
    requestId: record.requestId,
    stream: stage.stream,
    timeout: 20_000,
  });
  check(seen.at(-1) === "success", "the request ends in success");
  fact("fill on beta", outcome.txHashes.join(", "));

  title("What arrived");
  const shares = (await sharesOf(stage, user)) - sharesBefore;
  const assets = await destination.reader.readContract({
    abi: localVaultAbi,
    address: vault,
    args: [shares],
    functionName: "convertToAssets",
  });
  fact("vault shares of recipient", shares.toString());
  fact("worth", shown(assets, token.decimals, token.symbol));
  check(assets >= signed.minimum, "the shares are worth at least the quoted minimum");
  await checkNothingStays(stage, token.address);
  return signed;
}

/** The receiver's function for a signed record in native money. */
export function depositCall(receiver: Address, { record, signature }: Signed) {
  return {
    abi: pinnedReceiverAbi,
    address: receiver,
    args: [
      record.requestId,
      BigInt(record.destinationChainId),
      recordWord(record.destinationUser),
      signature,
    ] as const,
    functionName: "deposit" as const,
  };
}

async function sharesOf({ destination, vault }: Stage, account: Address): Promise<bigint> {
  return destination.reader.readContract({
    abi: localVaultAbi,
    address: vault,
    args: [account],
    functionName: "balanceOf",
  });
}

/** Router, proxy and executor are shared: anyone can take funds or allowances left there. */
async function checkNothingStays({ destination, proxy, vault }: Stage, token: Address): Promise<void> {
  const { reader } = destination;
  const router = destination.info.contracts.v3.erc20Router;
  const executor = await reader.readContract({
    abi: balanceProxyAbi,
    address: proxy,
    functionName: "executor",
  });
  const amountOf = (account: Address) =>
    reader.readContract({ abi: erc20Abi, address: token, args: [account], functionName: "balanceOf" });
  const allowanceOf = (owner: Address, spender: Address) =>
    reader.readContract({ abi: erc20Abi, address: token, args: [owner, spender], functionName: "allowance" });
  for (const [name, account] of Object.entries({ executor, proxy, router })) {
    const [tokens, native] = [await amountOf(account), await reader.getBalance({ address: account })];
    fact(`left in ${name}`, `${tokens} USDC, ${native} wei`);
    check(tokens === 0n && native === 0n, `nothing is left in the ${name}`);
  }
  check((await allowanceOf(router, proxy)) === 0n, "no allowance of the router is left");
  check((await allowanceOf(executor, vault)) === 0n, "no allowance of the executor is left");
}
