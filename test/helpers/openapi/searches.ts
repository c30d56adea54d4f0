import { type Hex, zeroAddress } from "viem";
import { getStatus, type RequestsV2Page } from "../../../src/client/index.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { newcomer } from "../requests/requestRun.ts";

const unknownHash = `0x${"00".repeat(32)}`;
const unknownUuid = "00000000-0000-4000-8000-000000000000";

/** Searches of both listings that use every filter: one that finds the first request, one of a request that failed. */
export async function everySearch(
  { alpha, beta, client, emulator }: EmulatorFixture,
  requestId: Hex,
): Promise<readonly string[]> {
  const { apiUrl } = emulator.info;
  const page = await emulator.fetch(new Request(`${apiUrl}/requests/v2?limit=1&id=${requestId}`));
  const [record] = ((await page.json()) as RequestsV2Page).requests;
  const next = await emulator.fetch(new Request(`${apiUrl}/requests/v2?limit=1`));
  const { continuation } = (await next.json()) as RequestsV2Page;
  const { inTxHashes = [], txHashes = [] } = await getStatus(client, { requestId });
  const both = {
    ...{ chainId: alpha.info.id, destinationChainId: beta.info.id, originChainId: alpha.info.id },
    ...{ endBlock: 1_000_000, startBlock: 1, endTimestamp: 2_000_000_000, startTimestamp: 1_700_000_000 },
    ...{ id: requestId, includeAuthenticatedData: true, includeChildRequests: true, limit: 1 },
    ...{ orderId: record?.protocol?.orderId, sortBy: "createdAt", sortDirection: "desc" },
    ...{ status: "success", user: record?.user },
  };
  const v3 = {
    ...{ amountUsdMax: 10_000, amountUsdMin: 1, appFeesAmountUsdMax: 10, appFeesAmountUsdMin: 0 },
    ...{ currencyInAddress: zeroAddress, currencyInChainId: alpha.info.id, currencyInSymbol: "ETH" },
    ...{ currencyOutAddress: zeroAddress, currencyOutChainId: beta.info.id, currencyOutSymbol: "ETH" },
    ...{ depositTxHash: inTxHashes[0], fillTxHash: txHashes[0], fillTimeMax: 3_600, fillTimeMin: 0 },
    ...{ includeTotal: true, recipient: record?.recipient, requestType: "Bridge", term: requestId },
  };
  const failed = {
    ...{ failReason: "SLIPPAGE", refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND", refundTxHash: unknownHash },
    ...{ depositAddress: newcomer, privateChainsToInclude: unknownUuid },
  };
  const apiKey = emulator.info.apiKeys[0]?.key;
  return [
    `/requests/v3?${parametersOf({ ...both, ...v3 })}`,
    `/requests/v3?${parametersOf(failed)}`,
    `/requests/v2?${parametersOf({ ...both, hash: inTxHashes[0], includeOrderData: true })}`,
    `/requests/v2?${parametersOf({ apiKey, continuation, referrer: "app" })}`,
  ];
}

function parametersOf(values: object): URLSearchParams {
  return new URLSearchParams(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
