import { expect } from "chai";
import { decodeFunctionData, erc20Abi } from "viem";
import { balanceProxyAbi } from "../../../../../src/abi/BalanceProxy.ts";
import type { Call } from "../../../../../src/calls/Call.ts";

export const token = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const otherToken = "0xCf7Ed3AccA5a467e9e704C703E8D87F634fB0Fc9";
export const target = "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512";
export const proxy = "0x9fE46736679d2D9a65F0992F2272dE9f3c7fa6e0";
export const router = "0xb92fe925DC43a0ECdE6c8b1a2709c170Ec4fFf4f";
export const recipient = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
export const zero = "0x0000000000000000000000000000000000000000";

/** The call of the proxy; the only calls around it are the approvals of these amounts. */
export function proxyCall(calls: readonly Call[], approvals: readonly bigint[]) {
  const approved = calls
    .filter(({ to }) => to === token)
    .map(({ data }) => decodeFunctionData({ abi: erc20Abi, data }))
    .map(({ args, functionName }) => {
      expect([functionName, args?.[0]]).to.deep.equal(["approve", proxy]);
      return args?.[1];
    });
  expect(approved).to.deep.equal(approvals);
  const own = calls.filter(({ to }) => to === proxy);
  expect(own).to.have.length(1);
  expect(calls).to.have.length(approvals.length + 1);
  expect(calls.map(({ value }) => value)).to.deep.equal(calls.map(() => 0n));
  return decodeFunctionData({ abi: balanceProxyAbi, data: own[0]?.data ?? "0x" });
}
