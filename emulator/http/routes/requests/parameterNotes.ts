/** What there is to say about parameters of both listings that their schemas do not say. */
export const pageNotes = {
  chainId: "Either direction; ignored with `originChainId` or `destinationChainId`.",
  continuation: "Cursor of an earlier answer in the same order, unchanged.",
  endBlock: "Block of the origin chain, inclusive.",
  endTimestamp: "Unix seconds of the creation, inclusive.",
  includeAuthenticatedData: "Fields for the app that made the request, where the header has its key.",
  includeChildRequests: "With `id` or `depositAddress`: duplicates, retries and refunds too.",
  sortDirection: "`desc` when left out; `asc` for `amountUsd`.",
  startBlock: "Block of the origin chain, inclusive.",
  startTimestamp: "Unix seconds of the creation, inclusive.",
  user: "Sender or recipient.",
};

/** The same of version 3 alone. */
export const searchNotes = {
  amountUsdMin: "Dollars that went in.",
  apiKey: "The key of the header, or its id.",
  currencyInSymbol: "In any letter case, on any chain.",
  currencyOutSymbol: "In any letter case, on any chain.",
  endTimestamp: "Unix seconds, inclusive, of the creation; of the last change where `sortBy` is `updatedAt`.",
  features: "Requests that have at least one of them.",
  fillTimeMin: "Seconds from deposit to success.",
  filters:
    "Groups as JSON: a request matches when it matches one of them. Fields of a group are combined with AND, entries of a list with OR, and `not:` before a name turns it round.",
  includeTotal: "Adds the number of all requests that match.",
  requestType: "In any letter case.",
  startTimestamp:
    "Unix seconds, inclusive, of the creation; of the last change where `sortBy` is `updatedAt`.",
  term: "Request id, wallet, deposit address or the hash of any transaction.",
};
