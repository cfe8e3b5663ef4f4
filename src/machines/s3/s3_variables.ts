/** Variables that say where an object store is and who may use it; no other is read. */
export const S3_VARIABLES = [
  "AWS_ENDPOINT_URL",
  "AWS_REGION",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CA_BUNDLE",
] as const;

/** Reads one of the variables; `undefined` where it is not set. */
export type S3Environment = (name: typeof S3_VARIABLES[number]) => string | undefined;
