import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { verifyTypedData } from "ethers";

/** Members of what the exchange verifies, written down once more: it shares nothing with the library. */
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

/** A server on loopback that does what the exchange does: it recovers the account, and takes each of its nonces once. */
export async function startExchange(): Promise<{
  close: () => Promise<void>;
  /** What was sent, in order, with the account that signed it. */
  sent: { account: string; amount: string; destination: string }[];
  url: string;
}> {
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
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk) => {
      text += chunk;
    });
    request.on("end", () => {
      const body = JSON.parse(text);
      const answer =
        request.url === "/exchange"
          ? carryOut(body)
          : {
              marginSummary: { accountValue: "1" },
              time: 1,
              withdrawable: body.dex === "xyz" ? "0.0" : "13104.514502",
            };
      response.setHeader("content-type", "application/json").setHeader("connection", "close");
      response.end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  };
}

function refuse(response: string): unknown {
  return { response, status: "err" };
}
