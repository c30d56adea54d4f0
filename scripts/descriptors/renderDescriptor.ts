import { type AbiFunction, zeroAddress } from "viem";
import { type Leaf, leavesOf, namedSignature } from "./abi.ts";
import type { DescribedContract } from "./contracts.ts";
import type { DescribedDomain, DescribedMessage } from "./messages.ts";
import { type Format, wordOf } from "./words.ts";

const SCHEMA =
  "https://raw.githubusercontent.com/LedgerHQ/clear-signing-erc7730-registry/master/specs/erc7730-v2.schema.json";
const METADATA = { info: { url: "https://github.com/waybill" }, owner: "Waybill" };

/** Parameters of formats that need them. */
const PARAMETERS: Partial<Record<Format, object>> = {
  addressName: { types: ["wallet", "eoa", "contract"] },
  date: { encoding: "timestamp" },
  token: { types: ["token"] },
};

type Field = Readonly<Record<string, unknown>>;

/** The descriptor of a contract, as JSON. @throws Error for a function without an intent or a parameter without a word. */
export function renderContract(
  name: string,
  { deployments, intents }: Pick<DescribedContract, "deployments" | "intents">,
  functions: readonly AbiFunction[],
): string {
  const formats = functions.flatMap((each) => {
    if (!(each.name in intents)) throw new Error(`No intent for ${name}.${each.name}: add one to CONTRACTS.`);
    const intent = intents[each.name];
    if (intent === undefined) return [];
    const native =
      each.stateMutability === "payable" && each.inputs.length > 0
        ? [{ format: "amount", label: "Native amount", path: "@.value" }]
        : [];
    return [[namedSignature(each), { fields: [...native, ...fieldsOf(leavesOf(each.inputs))], intent }]];
  });
  return render({
    context: { $id: name, contract: { deployments } },
    display: { formats: Object.fromEntries(formats) },
    metadata: { ...METADATA, contractName: name },
  });
}

/** The descriptor of a domain's messages, as JSON. */
export function renderDomain(name: string, { deployments, domain, messages }: DescribedDomain): string {
  const formats = messages.map((message) => [
    encodeType(message),
    { fields: fieldsOf(messageLeaves(message, message.primaryType)), intent: message.intent },
  ]);
  return render({
    context: { $id: name, eip712: { deployments, domain } },
    display: { formats: Object.fromEntries(formats) },
    metadata: METADATA,
  });
}

/** `encodeType` of EIP-712: the primary type, then the others by name. */
export function encodeType({ primaryType, types }: DescribedMessage): string {
  const others = Object.keys(types).filter((type) => type !== primaryType);
  return [primaryType, ...others.sort()]
    .map(
      (type) => `${type}(${(types[type] ?? []).map((member) => `${member.type} ${member.name}`).join(",")})`,
    )
    .join("");
}

function messageLeaves(message: DescribedMessage, type: string, parent = ""): Leaf[] {
  return (message.types[type] ?? []).flatMap((member) => {
    const path = parent === "" ? member.name : `${parent}.${member.name}`;
    return member.type in message.types
      ? messageLeaves(message, member.type, path)
      : [{ path, type: member.type }];
  });
}

function fieldsOf(leaves: readonly Leaf[]): Field[] {
  return leaves.map(({ path }) => {
    const word = wordOf(path);
    if (word === undefined) return { format: "raw", label: "Hidden", path, visible: "never" };
    const { format, label } = word;
    const params = PARAMETERS[format];
    if (params !== undefined)
      return { format: format === "token" ? "addressName" : format, label, params, path };
    if (format !== "currencyAmount") return { format, label, path };
    const tokenPath = currencyBeside(path, leaves);
    // Without a currency parameter, the amount is in the native currency or in an unknown token.
    if (tokenPath === undefined) return { format: "raw", label, path };
    return { format: "tokenAmount", label, params: { nativeCurrencyAddress: zeroAddress, tokenPath }, path };
  });
}

/** Path of the currency of an amount: in the same struct, or else among the parameters themselves. */
function currencyBeside(path: string, leaves: readonly Leaf[]): string | undefined {
  const parent = path.slice(0, path.lastIndexOf(".") + 1);
  const places = [`${parent}token`, `${parent}currency`, "token", "currency"];
  return places.find((place) => leaves.some((leaf) => leaf.path === place && leaf.type === "address"));
}

const render = (descriptor: object): string =>
  `${JSON.stringify({ $schema: SCHEMA, ...descriptor }, null, 2)}\n`;
