import { expect } from "chai";
import { docsRoot } from "../../../src/errors/docsRoot.ts";
import { HttpError } from "../../../src/errors/HttpError.ts";
import { RequestFailedError } from "../../../src/errors/RequestFailedError.ts";
import { redactUrl } from "../../../src/errors/redactUrls.ts";
import { isRetryableErrorCode, serviceErrorCodes } from "../../../src/errors/serviceErrorCodes.ts";
import { WalletFailedError } from "../../../src/errors/WalletFailedError.ts";

const url = "https://user:pass@api.test/authorize?signature=0xabc&apiKey=secret";

describe("redactUrl", () => {
  it("leaves no credential and no query value", () => {
    expect(redactUrl(url)).to.equal("https://api.test/authorize?signature=…&apiKey=…");
    expect(redactUrl("https://api.test/chains")).to.equal("https://api.test/chains");
    expect(redactUrl("secret, and not a url")).to.equal("(invalid url)");
  });
});

describe("the errors of calls", () => {
  it("describe the failed call and the way to its documentation, without a secret", () => {
    const error = new HttpError({
      details: "Invalid input or output currency",
      errorCode: "INVALID_INPUT_CURRENCY",
      method: "POST",
      requestId: "0x01",
      status: 400,
      url,
    });
    expect(error.message).to.equal(
      [
        "POST https://api.test/authorize?signature=…&apiKey=… answered 400 (INVALID_INPUT_CURRENCY).",
        "",
        "Request id: 0x01",
        "",
        `Docs: ${docsRoot}reference/codes.md#http_error`,
        "",
        "Details: Invalid input or output currency",
      ].join("\n"),
    );
    expect(error).to.include({ name: "HttpError", retryable: false });
  });

  it("have the reason of a failed request, or say that it is unknown", () => {
    const failed = new RequestFailedError({ requestId: "0x01", status: "failure" });
    expect(failed.message).to.equal(
      `Request 0x01 failed.\n\nReason: not given\n\nDocs: ${docsRoot}reference/codes.md#request_failed`,
    );
    const refunded = new RequestFailedError({
      failReason: "SLIPPAGE",
      refundFailReason: "AMOUNT_TOO_LOW_TO_REFUND",
      requestId: "0x01",
      status: "refund",
      txHashes: ["0x02"],
    });
    expect(refunded.message).to.equal(
      `Request 0x01 was refunded.\n\nReason: SLIPPAGE\nRefund failed: AMOUNT_TOO_LOW_TO_REFUND\nTransactions: 0x02\n\nDocs: ${docsRoot}reference/codes.md#request_refunded`,
    );
  });

  it("keep the wallet's error within reach", () => {
    const cause = new Error("disconnected");
    const error = new WalletFailedError({
      cause,
      stepId: "deposit",
      userRejected: false,
    });
    expect(error.walk()).to.equal(cause);
    expect(error.message).to.include("Nothing was sent").and.include("disconnected");
  });
});

describe("serviceErrorCodes", () => {
  it("holds the 31 expected and the 5 unexpected codes that the service documents", () => {
    const classes = Object.values(serviceErrorCodes);
    expect(classes.filter(({ expected }) => expected)).to.have.length(31);
    expect(classes.filter(({ expected }) => !expected)).to.have.length(5);
  });

  it("calls four of them retryable", () => {
    const retryable = Object.keys(serviceErrorCodes).filter(isRetryableErrorCode);
    expect(retryable).to.deep.equal([
      "PRICE_FETCH_FAILED",
      "REQUEST_TIMED_OUT",
      "RPC_HTTP_ERROR",
      "SERVICE_UNAVAILABLE",
    ]);
  });
});
