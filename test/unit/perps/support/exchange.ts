import { verifyTypedData } from "ethers";

/** Members of the action that the exchange verifies, spelled without the library. */
const members = [
  "string hyperliquidChain",
  "string destination",
  "string sourceDex",
  "string destinationDex",
  "string token",
  "string amount",
  "string fromSubAccount",
  "uint64 nonce",
].map((member) => {
  const [type = "", name = ""] = member.split(" ");
  return { name, type };
});

type Action = Record<string, string> & { signatureChainId: string };
type Posted = { action: Action; nonce: number; signature: { r: string; s: string; v: number } };

/** An exchange that recovers the account of an action, and accepts each of its nonces once. */
export function fakeExchange() {
  const sent: { account: string; amount: string; destination: string }[] = [];
  const nonces = new Set<string>();
  const carryOut = ({ action, nonce, signature }: Posted): unknown => {
    const domain = {
      chainId: BigInt(action.signatureChainId),
      name: "HyperliquidSignTransaction",
      verifyingContract: `0x${"00".repeat(20)}`,
      version: "1",
    };
    if (action.type !== "sendAsset" || Number(action.nonce) !== nonce) return refuse("Invalid action");
    const types = { "HyperliquidTransaction:SendAsset": members };
    const account = verifyTypedData(domain, types, action, signature);
    const key = `${account} ${nonce}`;
    if (nonces.has(key)) return refuse("Nonce already used");
    nonces.add(key);
    sent.push({ account, amount: action.amount ?? "", destination: action.destination ?? "" });
    return { response: { type: "default" }, status: "ok" };
  };
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const body = JSON.parse(String(init.body));
    const withdrawable = body.dex === "xyz" ? "0.0" : "13104.514502";
    const balance = { marginSummary: { accountValue: "1" }, time: 1, withdrawable };
    return Response.json(new URL(url).pathname === "/exchange" ? carryOut(body) : balance);
  };
  return { options: { fetch, url: "http://127.0.0.1:1" }, sent };
}

function refuse(response: string): unknown {
  return { response, status: "err" };
}
