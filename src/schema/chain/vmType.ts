import { openEnum } from "../wire/openEnum.ts";

/**
 * Every virtual machine type that the service names.
 *
 * @example
 * import { vmTypes } from "waybill/client";
 *
 * console.log(vmTypes.includes("svm")); // true
 */
export const vmTypes = ["bvm", "evm", "svm", "tvm", "tonvm", "hypevm", "lvm", "xrpvm"] as const;

/** One of {@link vmTypes}. */
export type VmType = (typeof vmTypes)[number];

/** A VM type in a response; accepts undocumented values. */
export const vmTypeSchema = openEnum(vmTypes);
