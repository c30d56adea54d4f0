import type { RequestRow } from "../../store/tables.ts";

/** Who reads records, and what was asked for. */
export type Viewer = {
  /** Id of the API key that was presented. */
  readonly apiKeyId: string | undefined;
  readonly includeAuthenticatedData: boolean;
  readonly includeOrderData: boolean;
};

/** Whether a request was made with the reader's own key. */
export function isOwn(request: Pick<RequestRow, "api_key_id">, { apiKeyId }: Viewer): boolean {
  return apiKeyId !== undefined && request.api_key_id === apiKeyId;
}

/** Whether fields for whoever made the request are shown. */
export function seesAuthenticatedData(request: Pick<RequestRow, "api_key_id">, viewer: Viewer): boolean {
  return viewer.includeAuthenticatedData && isOwn(request, viewer);
}
