/** Which pages in a browser may read answers: any, those of some origins, or none. */
export type CorsOrigins = boolean | readonly string[];
