/** Variables that say where an object store is and who may use it; no other is read. */
export const S3_VARIABLES = [
  "AWS_ENDPOINT_URL",
  "AWS_REGION",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CA_BUNDLE",
] as const;

/**
 * Variables that the client library looks at when it is loaded, whatever it is told. They change nothing here, but a process
 * without the permission to read them cannot load it.
 */
export const S3_LIBRARY_VARIABLES = [
  "AWS_LAMBDA_BENCHMARK_MODE",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_MAX_CONCURRENCY",
  "AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA",
  "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED",
  "_X_AMZN_TRACE_ID",
] as const;

/** Reads one of the variables; `undefined` where it is not set. */
export type S3Environment = (name: typeof S3_VARIABLES[number]) => string | undefined;
