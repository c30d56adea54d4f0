/** Folder of this version's documents in the repository. `npm run generate` writes it from `package.json`. */
export const docsRoot = "https://github.com/waybill/waybill/blob/waybill@0.1.0/docs/";
