import { createRequire } from "node:module";
import { expect } from "chai";
import { type Abi, type Address, concat, erc20Abi, type Hex, maxUint128, pad, zeroAddress } from "viem";
import { managedReceiverAbi } from "../../../src/abi/ManagedReceiver.ts";
import { orderReceiverAbi } from "../../../src/abi/OrderReceiver.ts";
import { pinnedReceiverAbi } from "../../../src/abi/PinnedReceiver.ts";
import { checkReceiverCurrency } from "../../../src/client/checkReceiverCurrency.ts";
import { getChains, getQuote, getSignature, type Quote } from "../../../src/client/index.ts";
import { normalizeOrder, type WireOrder } from "../../../src/records/normalizeOrder.ts";
import { type TestChain, useEmulator } from "../../helpers/emulatorFixture.ts";
import { failureOf } from "../../helpers/failureOf.ts";
import { fiftyDollars, recipient, type TestSymbol } from "../../helpers/quotes/intents.ts";
import { historyOf, reached, until } from "../../helpers/requests/requestHistory.ts";

const require = createRequire(import.meta.url);
const bytecodeOf = (name: string) =>
  (require(`waybill/artifacts/${name}.json`) as { bytecode: Hex }).bytecode;

/** A receiver's deposit: the currency and amount of the payer, and the request. */
type ReceiverPayment = {
  readonly currency: Address;
  readonly amount: bigint;
  readonly payer: number;
};

/** Places a `PinnedReceiver`. Its records name the caller, or the receiver, as the user. */
function placePinnedReceiver(
  chain: TestChain,
  solver: Address,
  binding: "receiver" | "caller",
): Promise<Address> {
  const payee = chain.wallet(9).account.address;
  const bytecode = bytecodeOf("PinnedReceiver");
  return chain.placeReceiver({
    abi: pinnedReceiverAbi,
    args: [solver, solver, binding === "caller" ? 1 : 0, payee],
    bytecode,
  });
}

/** Places a `ManagedReceiver` that takes these currencies, for any recipient, from the caller whom records name. */
function placeManagedReceiver(
  chain: TestChain,
  solver: Address,
  currencies: readonly Address[],
): Promise<Address> {
  const configuration = {
    activationDelay: 0n,
    binding: 1,
    coSigner: zeroAddress,
    isRecipientListOpen: true,
    limits: currencies.map((currency) => ({ currency, maximum: maxUint128, minimum: 0n })),
    owner: chain.wallet(9).account.address,
    solvers: [{ nativePayee: solver, solver, usesErc1271: false }],
  };
  return chain.placeReceiver({
    abi: managedReceiverAbi,
    args: [configuration],
    bytecode: bytecodeOf("ManagedReceiver"),
  });
}

/** Places an `OrderReceiver` of the chain. */
function placeOrderReceiver(chain: TestChain, solver: Address): Promise<Address> {
  const { contracts, id, name } = chain.info;
  const payee = chain.wallet(9).account.address;
  return chain.placeReceiver({
    abi: orderReceiverAbi,
    args: [solver, contracts.depository, name, BigInt(id), payee],
    bytecode: bytecodeOf("OrderReceiver"),
  });
}

/** Pays a `PinnedReceiver` or a `ManagedReceiver` under a record. */
function payByRecord(
  chain: TestChain,
  receiver: Address,
  payment: ReceiverPayment,
  record: {
    readonly requestId: Hex;
    readonly destinationChainId: number;
    readonly recipient: Hex;
    /** The solver's signature, and the data of policies. */
    readonly signature: Hex;
  },
): Promise<void> {
  const { destinationChainId, recipient, requestId, signature } = record;
  const args = [requestId, BigInt(destinationChainId), pad(recipient), signature];
  // Its functions are those of every receiver of records, and its errors include the policies'.
  return deposit(chain, { abi: managedReceiverAbi, address: receiver }, payment, args);
}

/** Pays the first input of an order by an `OrderReceiver`. */
function payByOrder(
  chain: TestChain,
  receiver: Address,
  payment: ReceiverPayment,
  { orderData, signature }: { readonly orderData: WireOrder; readonly signature: Hex },
): Promise<void> {
  const args = [normalizeOrder({ orderData }), 0n, signature];
  return deposit(chain, { abi: orderReceiverAbi, address: receiver }, payment, args);
}

/** Approves and deposits; `args` follow the token and the amount, which a native deposit has not. */
async function deposit(
  chain: TestChain,
  contract: { readonly abi: Abi; readonly address: Address },
  { amount, currency, payer }: ReceiverPayment,
  args: readonly unknown[],
): Promise<void> {
  const wallet = chain.wallet(payer);
  const confirmed = (hash: Hex) => chain.reader.waitForTransactionReceipt({ hash });
  if (currency === zeroAddress) {
    await confirmed(
      await wallet.writeContract({ ...contract, args, functionName: "deposit", value: amount }),
    );
    return;
  }
  const allowance = [contract.address, amount] as const;
  await confirmed(
    await wallet.writeContract({
      abi: erc20Abi,
      address: currency,
      args: allowance,
      functionName: "approve",
    }),
  );
  await confirmed(
    await wallet.writeContract({
      ...contract,
      args: [currency, amount, ...args],
      functionName: "depositErc20",
    }),
  );
}

const payer = 3;
const symbols = ["ETH", "USDC", "WETH", "USDT"] as const satisfies readonly TestSymbol[];
const taken: readonly TestSymbol[] = ["ETH", "USDC"];

describe("currencies that arrive through a receiver", () => {
  const fixture = useEmulator();

  for (const side of ["alpha", "beta"] as const) {
    const start = async (symbol: TestSymbol, user?: Address) => {
      const [chain, other] = [fixture[side], fixture[side === "alpha" ? "beta" : "alpha"]];
      const { chains } = await getChains(fixture.client);
      const record = chains.find(({ id }) => id === chain.info.id);
      if (record === undefined) throw new Error("the service names no such chain");
      const [amount, currency] = [BigInt(fiftyDollars(symbol)), chain.currency(symbol) as Address];
      const quote: Quote = await getQuote(fixture.client, {
        amount,
        destinationChainId: other.info.id,
        destinationCurrency: other.currency("USDC"),
        includeProtocolData: true,
        originChainId: chain.info.id,
        originCurrency: currency,
        recipient,
        tradeType: "EXACT_INPUT",
        refundTo: chain.wallet(payer).account.address,
        user: user ?? chain.wallet(payer).account.address,
      });
      const requestId = quote.steps.find((step) => step.requestId !== undefined)?.requestId as Hex;
      return {
        amount,
        chain,
        currency,
        other,
        quote,
        record,
        requestId,
        solver: fixture.emulator.info.solver,
      };
    };
    type Started = Awaited<ReturnType<typeof start>>;

    const payRecordTo = async (
      { amount, chain, currency, other, requestId }: Started,
      receiver: Address,
      policyData: Hex = "0x",
    ) => {
      const { signature } = await getSignature(fixture.client, { requestId });
      const record = { destinationChainId: other.info.id, recipient, requestId };
      const signed = concat([signature as Hex, policyData]);
      await payByRecord(chain, receiver, { amount, currency, payer }, { ...record, signature: signed });
    };
    const payPinned = async (started: Started) =>
      payRecordTo(started, await placePinnedReceiver(started.chain, started.solver, "caller"));
    /** Its owner lists what the solver takes. No co-signer is set, so its data are zeros. */
    const payManaged = async (started: Started) => {
      const { chain, solver } = started;
      const currencies = taken.map((symbol) => chain.currency(symbol) as Address);
      const receiver = await placeManagedReceiver(chain, solver, currencies);
      await payRecordTo(started, receiver, pad("0x", { size: 96 }));
    };
    const payOrder = async ({ amount, chain, currency, quote, solver }: Started) => {
      const receiver = await placeOrderReceiver(chain, solver);
      const { orderData, orderSignature } = quote.protocol?.v2 ?? {};
      if (orderData === undefined) throw new Error("the quote has no order");
      const order = { orderData, signature: orderSignature as Hex };
      await payByOrder(chain, receiver, { amount, currency, payer }, order);
    };

    for (const symbol of symbols.filter((each) => taken.includes(each))) {
      it(`${symbol} from ${side}: the check takes it, and every receiver's deposit is filled`, async () => {
        for (const pay of [payPinned, payManaged, payOrder]) {
          const started = await start(symbol);
          checkReceiverCurrency({ chain: started.record, currency: started.currency });
          await pay(started);
          await reached(fixture.emulator, started.requestId, "success");
        }
      });
    }

    for (const symbol of symbols.filter((each) => !taken.includes(each))) {
      it(`${symbol} from ${side}: the check refuses it, a pinned receiver's deposit is refunded, and others revert`, async () => {
        const started = await start(symbol);
        const { chain, currency, record, requestId } = started;
        const accepted = taken.map((each) => chain.currency(each).toLowerCase());
        let refusal: unknown;
        try {
          checkReceiverCurrency({ chain: record, currency });
        } catch (error) {
          refusal = error;
        }
        expect(refusal).to.include({ chainId: chain.info.id, code: "RECEIVER_CURRENCY" });
        const named = (refusal as { accepted: { address: string }[] }).accepted;
        expect(named.map(({ address }) => address.toLowerCase())).to.have.members(accepted);

        expect(String(await failureOf(payOrder(started)))).to.include("InputCurrencyMismatch");
        expect(String(await failureOf(payManaged(started)))).to.include("CurrencyNotAccepted");
        await payPinned(started);
        const { failReason } = await reached(fixture.emulator, requestId, "refund");
        expect(failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
      });
    }

    it(`USDT from ${side}, quoted for the receiver as user: the deposit is refunded as a request of its own`, async () => {
      const { solver } = fixture.emulator.info;
      const receiver = await placePinnedReceiver(fixture[side], solver, "receiver");
      const started = await start("USDT", receiver);
      await payRecordTo(started, receiver);
      const child = await until(async () => {
        const { children } = await historyOf(fixture.emulator, started.requestId);
        return children.find(({ status }) => status === "refund");
      }, "the refund of the deposit");
      expect(child.failReason).to.equal("INCORRECT_DEPOSIT_CURRENCY");
      expect((await historyOf(fixture.emulator, started.requestId)).status).to.equal("waiting");
    });
  }
});
