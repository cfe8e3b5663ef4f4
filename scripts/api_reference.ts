import {
  type Column,
  INTERFACE_VERSION,
  KEY_HEADER,
  type Operation,
  operations,
  type Parameter,
  serviceStatuses,
  type Success,
  type Tag,
  TAG_KEYWORD,
  wireName,
} from "../src/api/mod.ts";

function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function formatBounds({ minimum, maximum, values }: Parameter): string {
  if (values) return values.join(", ");
  if (minimum === undefined && maximum === undefined) return "";
  return `${minimum ?? ""} to ${maximum ?? ""}`;
}

function formatParameters(parameters: readonly Parameter[]): string {
  return formatTable(
    ["parameter", "in", "type", "default", "allowed", "unit", "tag", "meaning"],
    parameters.map((parameter) => [
      `\`${parameter.name}\``,
      parameter.in,
      parameter.type,
      parameter.required ? "required" : String(parameter.default ?? ""),
      formatBounds(parameter),
      parameter.unit ?? "",
      parameter.tag,
      parameter.description,
    ]),
  );
}

function formatColumns(columns: readonly Column[]): string {
  return formatTable(
    ["on the wire", "in frames", "type", "unit", "tag", "meaning"],
    columns.map((column) => [
      `\`${wireName(column)}\``,
      `\`${column.name}\``,
      column.dtype,
      column.unit ?? "",
      column.tag,
      column.description,
    ]),
  );
}

function formatSchema(schema: Extract<Success, { kind: "record" }>["schema"]): string {
  const { properties = {} } = schema.toJSONSchema() as {
    properties?: Record<string, { description: string; [TAG_KEYWORD]: Tag }>;
  };
  return formatTable(
    ["field", "tag", "meaning"],
    Object.entries(properties).map(([name, { description, [TAG_KEYWORD]: tag }]) => [
      `\`${name}\``,
      tag,
      description,
    ]),
  );
}

function formatSuccess({ success }: Operation): string {
  switch (success.kind) {
    case "records":
      return `A JSON array (\`${success.mediaType}\`) of records:\n\n${
        formatColumns(success.columns)
      }`;
    case "csv":
      return [
        `Comma-separated text (\`${success.mediaType}\`):`,
        formatColumns(success.columns),
        ...(success.note ? [success.note] : []),
      ].join("\n\n");
    case "record":
      return `A JSON object (\`${success.mediaType}\`):\n\n${formatSchema(success.schema)}`;
    case "string":
      return `A JSON string (\`${success.mediaType}\`): ${success.description}`;
    case "file":
      return `A file (\`${success.mediaType}\` in the API text): ${success.description}\n\n${
        formatTable(
          ["file type", "media type of our service"],
          Object.entries(success.mediaTypes).map(([type, mediaType]) => [type, `\`${mediaType}\``]),
        )
      }`;
  }
}

function formatHeaders({ headers }: Operation): string[] {
  if (headers.length === 0) return [];
  const rows = headers.map(({ name, description }) => [`\`${name}\``, "ours", description]);
  return [formatTable(["header of the answer", "tag", "meaning"], rows)];
}

function formatOperation(operation: Operation): string {
  const { id, path, summary, parameters, errors, deprecated, key } = operation;
  const marks = [
    deprecated ? "deprecated in the API text" : "current",
    key ? `needs the key in \`${KEY_HEADER}\`` : "needs no key",
  ].join(", ");
  return [
    `### ${id}`,
    `\`GET ${path}\` (${marks})`,
    summary,
    ...(parameters.length > 0 ? [formatParameters(parameters)] : []),
    formatSuccess(operation),
    ...formatHeaders(operation),
    formatTable(
      ["status", "meaning", "condition", "tag"],
      errors.map((
        { status, meaning, condition, tag },
      ) => [String(status), meaning, condition, tag]),
    ),
  ].join("\n\n");
}

/** The reference of the API as Markdown, derived from the contract. */
export function apiReference(): string {
  const groups = [...new Set(operations.map(({ group }) => group))];
  const parts = groups.map((group) => [
    `## ${group}`,
    ...operations.filter((operation) => operation.group === group).map(formatOperation),
  ]);
  return [
    "# The API",
    `Version ${INTERFACE_VERSION}. \`deno task docs\` writes this page from the contract in \`src/api\`.` +
    " A tag marks the source of each behaviour. The tag *documented* means that the API text describes it. The tag " +
    "*assumed* means that the API text does not describe it, or contradicts itself. The tag *ours* means that our service adds it.",
    "Our service can answer any request with these statuses (*ours*):",
    formatTable(
      ["status", "condition"],
      serviceStatuses.map(({ status, condition }) => [String(status), condition]),
    ),
    ...parts.flat(),
  ].join("\n\n") + "\n";
}
