import {
  bytes32Schema,
  evmAddressSchema,
  hexSchema,
  signatureSchema,
} from "../../../../src/schema/wire/hex.ts";
import { chainIdSchema } from "../../../../src/schema/wire/wireAmount.ts";
import { native, user } from "../../client/support/samples.ts";
import { keeps, refuses } from "../support/schemaChecks.ts";

describe("identifiers on the wire", () => {
  // @spec service/request-id
  it("are refused when they are cut, padded or not hexadecimal", () => {
    refuses(hexSchema, ["", "0x1", "12", "0xzz", "0X12", 7]);
    refuses(bytes32Schema, ["0x", `0x${"ab".repeat(31)}`, `0x${"ab".repeat(33)}`, "ab".repeat(32)]);
    refuses(evmAddressSchema, [
      "",
      "0x1234",
      `${user}00`,
      user.slice(2),
      "So11111111111111111111111111111111111111112",
    ]);
    refuses(signatureSchema, ["0x", `0x${"11".repeat(63)}`, `0x${"11".repeat(66)}`]);
    refuses(chainIdSchema, [0, -1, 1.5, "1", 2 ** 53, Number.NaN]);
  });

  it("pass in any letter case, signatures of 64 and of 65 bytes alike", () => {
    keeps(evmAddressSchema, [user, user.toLowerCase(), native]);
    keeps(signatureSchema, [`0x${"1B".repeat(64)}`, `0x${"1b".repeat(65)}`]);
    keeps(hexSchema, ["0x", "0xABcd"]);
  });
});
