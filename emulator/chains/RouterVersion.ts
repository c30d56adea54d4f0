/** Generations of the service's router and approval proxy. */
export const routerVersions = ["v3", "v2.1"] as const;

/** One of {@link routerVersions}. */
export type RouterVersion = (typeof routerVersions)[number];
