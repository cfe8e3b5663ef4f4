import { ConfigurationError } from "../../api/errors.ts";
import { Bucket } from "./bucket.ts";
import type { StorePatience } from "./retry_request.ts";

/** Variables that say where an object store is and who may use it; no other is read. */
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

/** How long a connection may take to be made, and to be silent, ms. */
const [CONNECTION_TIMEOUT, SILENCE_TIMEOUT] = [3_000, 20_000];

/** Region where none is set: stores other than Amazon's have but one, and most call it so. */
const DEFAULT_REGION = "us-east-1";

const MAX_CONNECTIONS = 64;

function readAddress(address: string): { bucket: string; prefix: string } {
  const [, bucket, prefix = ""] = /^s3:\/\/([a-z0-9][a-z0-9.-]+)(?:\/(.*))?$/.exec(address) ?? [];
  if (bucket === undefined) {
    throw new ConfigurationError( // not shown: somebody may have tried to give the keys in it
      "Cannot read the address of the object store: it does not have the form s3://bucket/prefix. Give " +
        "the keys as AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    );
  }
  return { bucket, prefix: prefix.replace(/\/*$/, prefix === "" ? "" : "/") };
}

/**
 * Opens a bucket, or what is below a prefix in it; the client library is loaded now.
 *
 * @param address Address such as `s3://bucket/prefix`
 * @param variables Reads the variables that say where the store is, and the credentials
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
    refuse("AWS_ENDPOINT_URL is not an address that begins with https:// or http://");
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
      refuse(`the certificates ${bundle} of AWS_CA_BUNDLE cannot be read: ${cause.message}`, cause)
    )
    : undefined;
  const { S3 } = await import("@aws-sdk/client-s3");
  const client = new S3({
    region: variables("AWS_REGION") || DEFAULT_REGION,
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
    credentials,
    maxAttempts: 1, // a request is tried again with the reading of its body
    requestHandler: {
      connectionTimeout: CONNECTION_TIMEOUT,
      socketTimeout: SILENCE_TIMEOUT,
      httpAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: MAX_CONNECTIONS, ...(ca ? { ca } : {}) },
    },
    // What is not said here the library looks for in further variables, and in files of the user.
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
