import type { RequestRow } from "../../store/tables.ts";

/** The reader of records, and the data it asked for. */
export type Viewer = {
  /** Id of the API key that was presented. */
  readonly apiKeyId: string | undefined;
  readonly includeAuthenticatedData: boolean;
  readonly includeOrderData: boolean;
};

/** Whether a request was made with the reader's API key. */
export function isOwn(request: Pick<RequestRow, "api_key_id">, { apiKeyId }: Viewer): boolean {
  return apiKeyId !== undefined && request.api_key_id === apiKeyId;
}

/** Whether the reader sees fields that are reserved for the API key that made the request. */
export function seesAuthenticatedData(request: Pick<RequestRow, "api_key_id">, viewer: Viewer): boolean {
  return viewer.includeAuthenticatedData && isOwn(request, viewer);
}
