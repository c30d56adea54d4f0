import type { Section } from "./Section.ts";
import { OTHER_CHAINS } from "./statements/chains.ts";
import { RECORDS } from "./statements/records.ts";
import { REQUESTS } from "./statements/requests.ts";
import { RESOURCES } from "./statements/resources.ts";
import { SERVICE } from "./statements/service.ts";

/** The sections, grouped by subject. */
export const SECTIONS: readonly Section[] = [
  ...RESOURCES,
  ...RECORDS,
  ...REQUESTS,
  ...OTHER_CHAINS,
  ...SERVICE,
];
