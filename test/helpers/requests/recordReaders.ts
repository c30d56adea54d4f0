import { createClient, getRequests, type Quote } from "../../../src/client/index.ts";
import type { RequestV2 } from "../../../src/schema/record/requestV2.ts";
import type { RequestData } from "../../../src/schema/record/requestV3.ts";
import type { EmulatorFixture } from "../emulatorFixture.ts";
import { requestIdOf } from "./requestRun.ts";

/** Reads the data of a quote's record, in version 3 with an API key and in version 2 without one. */
export function recordReaders(fixture: EmulatorFixture) {
  const dataOf = <Data>(requests: readonly { data?: Data | undefined }[]): NonNullable<Data> => {
    const data = requests[0]?.data;
    if (!data) throw new Error("there is no record");
    return data;
  };
  return {
    async recordOf(quote: Quote): Promise<NonNullable<RequestData>> {
      const { apiKeys, apiUrl } = fixture.emulator.info;
      const keyed = createClient({ apiKey: apiKeys[0]?.key, baseUrl: apiUrl });
      return dataOf((await getRequests(keyed, { id: requestIdOf(quote) })).requests);
    },
    async recordV2Of(quote: Quote): Promise<NonNullable<RequestV2["data"]>> {
      const answer = await fetch(`${fixture.emulator.info.apiUrl}/requests/v2?id=${requestIdOf(quote)}`);
      return dataOf(((await answer.json()) as { requests: RequestV2[] }).requests);
    },
  };
}
