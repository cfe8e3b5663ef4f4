import { assertEquals, assertMatch } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeWithS3, type S3Server } from "../../_s3.ts";
import { startTlsProxy } from "./_tls_proxy.ts";
import { S3_VARIABLES } from "../../../src/machines/s3/open_bucket.ts";

/**
 * Variables that the client library always reads when it is loaded. They change nothing here, but a process without the
 * permission to read them cannot load it.
 */
const S3_LIBRARY_VARIABLES = [
  "AWS_LAMBDA_BENCHMARK_MODE",
  "AWS_LAMBDA_FUNCTION_NAME",
  "AWS_LAMBDA_MAX_CONCURRENCY",
  "AWS_LAMBDA_NODEJS_NO_GLOBAL_AWSLAMBDA",
  "AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED",
  "_X_AMZN_TRACE_ID",
] as const;

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Runs the work in a process that may read only these variables, and connect only to this machine. */
async function work(
  { address, environment }: S3Server,
  variables: readonly string[],
  others: Readonly<Record<string, string>> = {},
): Promise<[output: string, problem: string]> {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--quiet",
      "--allow-read",
      "--allow-net=127.0.0.1",
      `--allow-env=${variables.join()}`,
      new URL("./_narrow_work.ts", import.meta.url).pathname,
      `${address}/narrow`,
    ],
    cwd: ROOT,
    env: { ...environment, ...others, NO_COLOR: "1" },
  }).output();
  return [new TextDecoder().decode(stdout), new TextDecoder().decode(stderr)];
}

describeWithS3("a process with files in an object store", (server) => {
  const all = [...S3_VARIABLES, ...S3_LIBRARY_VARIABLES];

  it("reads only the listed variables, and no file of its user", async () => {
    const foreign = { AWS_PROFILE: "nobody", AWS_CONFIG_FILE: "/nowhere", AWS_MAX_ATTEMPTS: "x" };
    assertEquals(await work(server(), all, foreign), ["wind\n", ""]);
  });

  it("trusts the certificates of AWS_CA_BUNDLE, and no others", async () => {
    await using proxy = await startTlsProxy(server().endpoint);
    const variables = { AWS_ENDPOINT_URL: proxy.endpoint, AWS_CA_BUNDLE: proxy.certificates };
    assertEquals(await work(server(), all, variables), ["wind\n", ""]);
    const [, problem] = await work(server(), all, { AWS_ENDPOINT_URL: proxy.endpoint });
    assertMatch(problem, /certificate.*Name the file with the certificates .* in AWS_CA_BUNDLE/);
  });
});
