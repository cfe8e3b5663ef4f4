import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { describeWithPostgres } from "../../_postgres.ts";

describeWithPostgres("PostgresDatabase over TLS", (server) => {
  let folder: string;
  let address: string;

  async function run(program: string, ...args: string[]): Promise<void> {
    const { success, stderr } = await new Deno.Command(program, { args, cwd: folder }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  }

  /** Makes a key and a certificate in files that begin with a name; its own authority unless one is given. */
  async function certify(name: string, authority?: string): Promise<void> {
    await run(
      "openssl",
      ...["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", `/CN=${name}`],
      ...["-keyout", `${name}.key`, "-out", `${name}.pem`],
      ...authority
        ? [
          ...["-CA", `${authority}.pem`, "-CAkey", `${authority}.key`],
          ...["-addext", `subjectAltName=DNS:${name}`, "-addext", "basicConstraints=CA:FALSE"],
        ]
        : [],
    );
  }

  /** Makes the server use a certificate. */
  async function present(name: string): Promise<void> {
    const database = await PostgresDatabase.open(address);
    const certificate = `${folder}/${name}.pem`;
    await database.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await database.run(`ALTER SYSTEM SET ssl_key_file = '${folder}/${name}.key'`);
    await database.run("ALTER SYSTEM SET ssl = on");
    await database.run("SELECT pg_reload_conf()");
    const deadline = performance.now() + 10_000;
    const isPresented = async () =>
      (await database.all("SHOW ssl_cert_file"))[0].ssl_cert_file === certificate;
    while (!await isPresented()) assert(performance.now() < deadline);
    await database.close();
  }

  /** Whether a new connection is encrypted. */
  async function isEncrypted(mode: string, host = "localhost"): Promise<unknown> {
    const url = new URL(address);
    url.hostname = host;
    const database = await PostgresDatabase.open(`${url.href}?${mode}`);
    try {
      const ownConnection = "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
      return (await database.all(ownConnection))[0].ssl;
    } finally {
      await database.close();
    }
  }

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    for (const name of ["authority", "stranger"]) await certify(name);
    for (const name of ["localhost", "elsewhere"]) await certify(name, "authority");
    if (Deno.uid() === 0) await run("chown", "-R", "postgres", folder);
    address = await server().createDatabase();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const verified = (authority: string) =>
    `sslmode=verify-full&sslrootcert=${folder}/${authority}.pem`;

  it("verifies certificate and name of the server if the address requires it", async () => {
    await present("localhost");
    assertEquals(await isEncrypted(verified("authority")), true);
    for (const [authority, host] of [["stranger", "localhost"], ["authority", "127.0.0.1"]]) {
      const { message } = await assertRejects(
        () => isEncrypted(verified(authority), host),
        ConfigurationError,
        "the certificates",
      );
      assert(!message.includes("p%40ss"));
    }
    await present("elsewhere");
    await assertRejects(() => isEncrypted(verified("authority")), ConfigurationError);
  });

  it("encrypts with any certificate for sslmode=require, and not for sslmode=disable", async () => {
    await present("elsewhere");
    assertEquals(await isEncrypted("sslmode=require"), true);
    assertEquals(await isEncrypted("sslmode=disable"), false);
  });
});
