/** A member of a type of EIP-712. */
export type TypeMember = { readonly name: string; readonly type: string };

/**
 * Reads the members of a type as EIP-712 writes them.
 *
 * @example
 * typeMembers("address to,uint256 amount"); // [{ name: "to", type: "address" }, { name: "amount", type: "uint256" }]
 */
export function typeMembers(text: string): readonly TypeMember[] {
  return text.split(",").map((member) => {
    const [type = "", name = ""] = member.split(" ");
    return { name, type };
  });
}
