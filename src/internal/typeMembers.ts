/** A member of an EIP-712 type. */
export type TypeMember = { readonly name: string; readonly type: string };

/** Parses the members of an EIP-712 type string. */
export function typeMembers(text: string): readonly TypeMember[] {
  return text.split(",").map((member) => {
    const [type = "", name = ""] = member.split(" ");
    return { name, type };
  });
}
