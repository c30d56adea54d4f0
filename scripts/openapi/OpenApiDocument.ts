import type * as z from "zod";

/** JSON Schema of draft 2020-12, as in OpenAPI 3.1. */
export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** A body in one media type. */
export type Content = Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>;

export type Parameter = {
  readonly name: string;
  readonly in: "path" | "query";
  readonly required: boolean;
  readonly description?: string;
  /** False for lists with commas between their entries. */
  readonly style?: "form";
  readonly explode?: false;
  readonly schema?: JsonSchema;
  readonly example?: unknown;
  /** In place of `schema` for JSON parameters. */
  readonly content?: Content;
};

export type DocumentedAnswer = {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly content?: Content;
};

export type Operation = {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description?: string;
  readonly deprecated?: true;
  /** Alternatives; the empty one means no authentication. */
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, DocumentedAnswer>>;
};

/** The subset of OpenAPI 3.1 that the document uses. */
export type OpenApiDocument = {
  readonly openapi: "3.1.1";
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
};

type SecurityScheme = {
  readonly type: "apiKey";
  readonly in: "header";
  readonly name: string;
  readonly description: string;
};
