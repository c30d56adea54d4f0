import { expect } from "chai";
import {
  concatHex,
  encodeFunctionData,
  type Hex,
  hashMessage,
  isAddressEqual,
  parseEther,
  parseUnits,
  zeroAddress,
} from "viem";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { type RouterVersion, routerVersions } from "../../../emulator/chains/Chain.ts";
import { localVaultAbi } from "../../../src/abi/LocalVault.ts";
import { relayDepositoryAbi } from "../../../src/abi/RelayDepository.ts";
import { relayRouterV3Abi } from "../../../src/abi/RelayRouterV3.ts";
import { calls } from "../../../src/calls/calls.ts";
import { getStatus, type Quote } from "../../../src/client/index.ts";
import { hashOrder } from "../../../src/records/hashOrder.ts";
import { normalizeOrder } from "../../../src/records/normalizeOrder.ts";
import { recoverSigner } from "../../../src/records/recoverSigner.ts";

import { orderDataSchema } from "../../../src/schema/quote/order.ts";
import { type EmulatorFixture, useEmulator } from "../../helpers/emulatorFixture.ts";
import { erc20Data } from "../../helpers/erc20Data.ts";
import { deploy, gained } from "../../helpers/localChain.ts";
import {
  carryOut,
  lastTransaction,
  quoteFor,
  recipient,
  refusalOf,
  requestIdOf,
  sendAs,
} from "../../helpers/quotes/intents.ts";

for (const routerVersion of routerVersions) {
  describe(`requests that need no deposit, through router ${routerVersion}`, () => {
    const fixture = useEmulator({ routerVersion });

    const statusOf = async (quote: Quote) =>
      (await getStatus(fixture.client, { requestId: requestIdOf(quote) })).status;
    /** A valid deposit made now is filled: everything before it has been searched too. */
    const settle = async () => carryOut(fixture, await quoteFor(fixture, { from: "ETH", to: "ETH" }));

    // @spec calls/in-order calls/approval-first quote-request/txs
    it("makes the user's calls with the swapped output, and sends the rest to the recipient", async () => {
      const { alpha } = fixture;
      const token = alpha.currency("USDC");
      const vault = await deploy(alpha, "service/currencies/LocalVault", [token, "Vault", "V"]);
      const shares = parseUnits("40", 6);
      const router = routerOf(fixture, routerVersion);
      const { txs } = calls({ router, routerVersion })
        .approve({ amount: shares, spender: vault, token })
        .call({ abi: localVaultAbi, address: vault, args: [shares, recipient], functionName: "deposit" })
        .sweepErc20s({ recipient, tokens: [token] });
      const before = await alpha.balanceOf(token, recipient);
      const quote = await quoteFor(fixture, { from: "USDT", sameChain: true, to: "USDC", txs: [...txs] });
      expect(quote.steps.at(-1)?.id).to.equal("swap");
      await carryOut(fixture, quote);
      expect(await alpha.balanceOf(vault, recipient)).to.equal(shares);
      const left = (await alpha.balanceOf(token, recipient)) - before;
      expect(left).to.equal(BigInt(quote.details.currencyOut.amount) - shares);
      expect(await alpha.balanceOf(token, router)).to.equal(0n);

      const value = parseEther("0.003");
      const nativeBefore = await alpha.balanceOf(zeroAddress, recipient);
      const native = await quoteFor(fixture, {
        from: "ETH",
        sameChain: true,
        to: "ETH",
        txs: [{ to: alpha.wallet(5).account.address, value }],
      });
      expect(native.steps.map(({ id }) => id)).to.deep.equal(["send"]);
      await carryOut(fixture, native);
      const got = (await alpha.balanceOf(zeroAddress, recipient)) - nativeBefore;
      expect(got).to.equal(BigInt(native.details.currencyIn.amount) - value);
    });

    it("rejects calls that revert, and names the call to replay", async () => {
      const { alpha } = fixture;
      const data = erc20Data("transfer", recipient, parseUnits("1000", 6));
      const txs = [{ data, to: alpha.currency("USDC") }];
      expect(await refusalOf(fixture, { from: "USDT", sameChain: true, to: "USDC", txs })).to.equal(
        "DESTINATION_TX_FAILED",
      );
    });

    it("ignores another transaction that names the request, and another sender's failure", async () => {
      const quote = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "USDC" });
      const send = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "ETH" });
      const { data, to, value } = lastTransaction(quote);
      const own = fixture.alpha.wallet(4).account.address;
      const id = requestIdOf(quote);
      // The request's id without calls, with less money, and at another position.
      const empty =
        routerVersion === "v3"
          ? encodeFunctionData({
              abi: relayRouterV3Abi,
              args: [[], own, own, id],
              functionName: "multicall",
            })
          : concatHex(["0xd0e30db0", id]);
      const place = routerVersion === "v3" ? to : fixture.alpha.currency("WETH");
      await sendAs(fixture.alpha, 4, { data: empty, to: place });
      await sendAs(fixture.alpha, 4, { data: id, to: own, value });
      await sendAs(fixture.alpha, 4, { data: requestIdOf(send), to: recipient, value: 1n });
      // The call fails for another sender, not for the user.
      await sendAs(fixture.alpha, 4, { data, gas: 60_000n, to, value });
      await settle();
      expect([await statusOf(quote), await statusOf(send)]).to.deep.equal(["waiting", "waiting"]);
    });

    it("refunds a deposit for a request that needs none, and the request waits for its own transaction", async () => {
      const { alpha } = fixture;
      const quote = await quoteFor(fixture, { from: "ETH", sameChain: true, to: "USDC" });
      const user = alpha.wallet(0).account.address;
      const before = await alpha.balanceOf(zeroAddress, user);
      const data = encodeFunctionData({
        abi: relayDepositoryAbi,
        args: [user, requestIdOf(quote)],
        functionName: "depositNative",
      });
      await sendAs(alpha, 0, { data, to: alpha.info.contracts.depository, value: parseEther("1") });
      while (before - (await alpha.balanceOf(zeroAddress, user)) > parseEther("0.01")) {
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
      expect(await statusOf(quote)).to.equal("waiting");
      expect((await carryOut(fixture, quote)).status).to.equal("success");
    });
  });

  describe(`calls on the other chain, through router ${routerVersion}`, () => {
    const fixture = useEmulator({ routerVersion });

    // @spec calls/cleanup-erc20s quote-request/txs
    it("swaps on the destination first, and makes the calls with the output", async () => {
      const { beta } = fixture;
      const token = beta.currency("USDT");
      const router = routerOf(fixture, routerVersion, "beta");
      const amount = parseUnits("10", 6);
      const target = "0x00000000000000000000000000000000000ca11e";
      const data = erc20Data("transfer", target, amount);
      const { txs } = calls({ router, routerVersion })
        .add({ data, to: token, value: 0n })
        .sweepErc20s({ recipient, tokens: [token] });
      for (const tradeType of ["EXACT_INPUT", "EXACT_OUTPUT"] as const) {
        const [targetBefore, before] = await Promise.all([
          beta.balanceOf(token, target),
          beta.balanceOf(token, recipient),
        ]);
        const quote = await quoteFor(fixture, { from: "ETH", to: "USDT", tradeType, txs: [...txs] });
        await carryOut(fixture, quote);
        expect((await beta.balanceOf(token, target)) - targetBefore).to.equal(amount);
        expect((await beta.balanceOf(token, recipient)) - before).to.equal(
          BigInt(quote.details.currencyOut.amount) - amount,
        );
        expect(await beta.balanceOf(token, router)).to.equal(0n);
        expect(await beta.balanceOf(zeroAddress, router)).to.equal(0n);
      }
    });

    // @spec calls/cleanup-native
    it("makes native calls through the router and sends the rest to the recipient", async () => {
      const { beta } = fixture;
      const router = routerOf(fixture, routerVersion, "beta");
      const [target, value] = [privateKeyToAddress(generatePrivateKey()), parseEther("0.005")];
      const { txs } = calls({ router, routerVersion })
        .add({ data: "0x", to: target, value })
        .sweepNative({ recipient });
      const quote = await quoteFor(fixture, { from: "ETH", to: "ETH", txs: [...txs] });
      const left = await gained(beta, zeroAddress, recipient, () => carryOut(fixture, quote));
      expect(await beta.balanceOf(zeroAddress, target)).to.equal(value);
      expect(left).to.equal(BigInt(quote.details.currencyOut.amount) - value);
      expect(await beta.balanceOf(zeroAddress, router)).to.equal(0n);
    });

    it("resets a USDT-like token's allowance to zero when it is nonzero but too small", async () => {
      const { alpha } = fixture;
      const { approvalProxy, v3 } = alpha.info.contracts;
      const spender = routerVersion === "v3" ? v3.approvalProxy : approvalProxy;
      await sendAs(alpha, 0, { data: erc20Data("approve", spender, 1n), to: alpha.currency("USDT") });
      const quote = await quoteFor(fixture, { from: "USDT", to: "USDT" });
      expect(quote.steps[0]?.items.length).to.equal(2);
      expect((await carryOut(fixture, quote)).status).to.equal("success");
    });

    // @spec quote/protocol order/id version/protocol-data
    it("signs the order over the deposit, only on request", async () => {
      for (const from of ["USDT", "WETH", "USDC"] as const) {
        const quote = await quoteFor(fixture, { from, includeProtocolData: true, to: "USDT", ttl: 600 });
        const protocol = quote.protocol?.v2;
        const order = normalizeOrder({ orderData: orderDataSchema.parse(protocol?.orderData) });
        expect(hashOrder({ order })).to.equal(protocol?.orderId);
        const digest = hashMessage({ raw: protocol?.orderId as Hex });
        const signer = await recoverSigner({ digest, signature: protocol?.orderSignature as Hex });
        expect(isAddressEqual(signer, fixture.emulator.info.solver)).to.equal(true);
        const [input] = order.inputs;
        const deposited = fixture.alpha.currency(from === "WETH" ? "ETH" : "USDC").toLowerCase();
        expect(input?.payment.currency).to.equal(deposited);
        const deposit = quote.details.route?.origin?.outputCurrency;
        expect(input?.payment.amount.toString()).to.equal(deposit?.minimumAmount);
        const life = order.output.deadline - Math.floor(Date.now() / 1000);
        expect(life).to.be.within(590, 600);
        const plain = await quoteFor(fixture, { from, includeProtocolData: false, to: "USDT" });
        expect(plain.protocol?.v2?.orderSignature).to.equal(undefined);
      }
    });
  });
}

function routerOf(fixture: EmulatorFixture, version: RouterVersion, chain: "alpha" | "beta" = "alpha") {
  const { erc20Router, v3 } = fixture[chain].info.contracts;
  return version === "v3" ? v3.erc20Router : erc20Router;
}
