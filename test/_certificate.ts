/** Paths of a key and a self-signed certificate for 127.0.0.1 and localhost. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

/** Makes a certificate in a test's folder. */
export async function makeCertificate(folder: string): Promise<Certificate> {
  const [key, cert] = [`${folder}/key.pem`, `${folder}/cert.pem`];
  const { success } = await new Deno.Command("openssl", {
    args: [
      ..."req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj".split(" "),
      "/CN=vindkit-test",
      ...[
        "-addext",
        "subjectAltName=IP:127.0.0.1,DNS:localhost",
        "-addext",
        "basicConstraints=CA:FALSE",
      ],
      ...["-keyout", key, "-out", cert],
    ],
    stdout: "null",
    stderr: "null",
  }).output();
  if (!success) throw new Error("Cannot make a certificate: openssl failed");
  return { key, cert };
}
