import { ConfigurationError } from "../../api/errors.ts";
import { Bucket } from "./bucket.ts";
import type { StorePatience } from "./retry_request.ts";

/** Variables with the address and credentials of an object store; no others are read. */
export const S3_VARIABLES = [
  "AWS_ENDPOINT_URL",
  "AWS_REGION",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_CA_BUNDLE",
] as const;

/** Reads one of the variables; `undefined` if it is not set. */
export type S3Environment = (name: typeof S3_VARIABLES[number]) => string | undefined;

/** Timeouts for connecting, and for a silent connection, ms. */
const [CONNECTION_TIMEOUT, SILENCE_TIMEOUT] = [3_000, 20_000];

/** Default region: stores other than Amazon's have only one, and most use this name. */
const DEFAULT_REGION = "us-east-1";

const MAX_CONNECTIONS = 64;

function readAddress(address: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) {
    throw new ConfigurationError( // address not shown: it may contain keys by mistake
      "Cannot read the address of the object store: it does not have the form s3://bucket/prefix. Give it " +
        "in this form, and the keys as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  return { bucket, prefix: prefix.replace(/\/*$/, prefix === "" ? "" : "/") };
}

/**
 * Opens a bucket, or a prefix in it, and loads the client library.
 *
 * @param address Address such as `s3://bucket/prefix`
 * @param variables Reads the variables with address and credentials of the store
 * @throws {ConfigurationError} If the address is not valid, credentials or the bucket are missing, or certificates cannot
 * be read
 * @throws {PassingError} If the store does not answer
 */
export async function openBucket(
  address: string,
  variables: S3Environment,
  patience: StorePatience = {},
): Promise<Bucket> {
  const { bucket, prefix } = readAddress(address);
  const refuse = (problem: string, cause?: unknown): never => {
    throw new ConfigurationError(`Cannot open the object store ${address}: ${problem}`, { cause });
  };
  const read = (name: "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY") =>
    variables(name) ||
    refuse(`the variable ${name} is not set. Set it to the value of the store's account`);
  const endpoint = variables("AWS_ENDPOINT_URL") || undefined;
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint)) {
    refuse(
      "AWS_ENDPOINT_URL does not begin with https:// or http://. Give the address of the object store, such as https://s3.example.org",
    );
  }
  const token = variables("AWS_SESSION_TOKEN");
  const credentials = {
    accessKeyId: read("AWS_ACCESS_KEY_ID"),
    secretAccessKey: read("AWS_SECRET_ACCESS_KEY"),
    ...(token ? { sessionToken: token } : {}),
  };
  const bundle = variables("AWS_CA_BUNDLE");
  const ca = bundle
    ? await Deno.readTextFile(bundle).catch((cause) =>
      refuse(
        `the file ${bundle} of AWS_CA_BUNDLE cannot be read (${cause.message}). Name a PEM file with the certificates of the store`,
        cause,
      )
    )
    : undefined;
  const { S3 } = await import("@aws-sdk/client-s3");
  const client = new S3({
    region: variables("AWS_REGION") || DEFAULT_REGION,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials,
    maxAttempts: 1, // our retries include reading the body
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      socketTimeout: SILENCE_TIMEOUT,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS, ...(ca ? { ca } : {}) },
    },
    // the library would look up missing options in other variables and in the user's files
    retryMode: "standard",
    defaultUserAgentProvider: () => Promise.resolve([["vindkit"]]),
    userAgentAppId: "vindkit",
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    useArnRegion: false,
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    disableS3ExpressSessionAuth: true,
    disableClockSkewCorrection: false,
    authSchemePreference: ["sigv4"],
  });
  const opened = new Bucket(client, bucket, prefix, patience);
  try {
    await opened.check();
    return opened;
  } catch (error) {
    opened.close();
    throw error;
  }
}
