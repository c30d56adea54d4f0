/** One result of `waybill doctor`. */
export type Finding = {
  readonly level: "fail" | "ok" | "warn";
  /** What was looked at, such as `node` or `GET /chains`. */
  readonly subject: string;
  readonly message: string;
  readonly remedy?: string | undefined;
};

/** Nothing to mend. */
export const ok = (subject: string, message: string): Finding => ({ level: "ok", message, subject });

/** Something that may be meant so. */
export const warn = (subject: string, message: string, remedy?: string): Finding => ({
  level: "warn",
  message,
  remedy,
  subject,
});

/** Something that does not work. */
export const fail = (subject: string, message: string, remedy?: string): Finding => ({
  level: "fail",
  message,
  remedy,
  subject,
});
