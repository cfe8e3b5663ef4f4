/**
 * Whether an `Accept-Encoding` header takes gzip (RFC 9110, section 12.5.3).
 *
 * @param header Value of the header; `null` where there is none
 */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map(
    (header ?? "").toLowerCase().split(",").map((entry) => {
      const [coding, ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}
