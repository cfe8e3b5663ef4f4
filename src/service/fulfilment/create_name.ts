/** Creates an unguessable name: of an order, or the token of its address. */
export function createName(): string {
  return crypto.getRandomValues(new Uint8Array(24)).toBase64({
    alphabet: "base64url",
    omitPadding: true,
  });
}
