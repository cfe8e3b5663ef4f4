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

/** A description for a cell, where a fragment has no final stop and its unit is in parentheses. */
function formatMeaning(description: string): string {
  const text = description.replace(/\. Unit: (.+)\.$/, " ($1)");
  return text.includes(". ") ? text : text.replace(/\.$/, "");
}

/** A description that continues a sentence. */
function formatContent(description: string): string {
  return description[0].toLowerCase() + description.slice(1);
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
      formatMeaning(parameter.description),
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
      formatMeaning(column.description),
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
      formatMeaning(description),
    ]),
  );
}

function formatSuccess({ success }: Operation): string {
  switch (success.kind) {
    case "records":
      return `The answer is a JSON array (\`${success.mediaType}\`) of records:\n\n${
        formatColumns(success.columns)
      }`;
    case "csv":
      return [
        `The answer is comma-separated text (\`${success.mediaType}\`):`,
        formatColumns(success.columns),
        ...(success.note ? [success.note] : []),
      ].join("\n\n");
    case "record":
      return `The answer is a JSON object (\`${success.mediaType}\`):\n\n${
        formatSchema(success.schema)
      }`;
    case "string":
      return `The answer is a JSON string (\`${success.mediaType}\`): ${
        formatContent(success.description)
      }`;
    case "file":
      return `The answer is a file (\`${success.mediaType}\` in the API text): ${
        formatContent(success.description)
      }\n\n${
        formatTable(
          ["file type", "media type of our service"],
          Object.entries(success.mediaTypes).map(([type, mediaType]) => [type, `\`${mediaType}\``]),
        )
      }`;
  }
}

function formatHeaders({ headers }: Operation): string[] {
  if (headers.length === 0) return [];
  const rows = headers.map((
    { name, description },
  ) => [`\`${name}\``, "ours", formatMeaning(description)]);
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
    `This page describes version ${INTERFACE_VERSION} of the API. The command \`deno task docs\` writes this page from the contract in \`src/api\`.` +
    " Each behaviour has a tag. A behaviour is *documented* if the API text describes it, and *ours* if our service adds it. " +
    "A behaviour is *assumed* if the API text does not describe it, or if the API text contradicts itself.",
    "Our service can answer any request with one of these statuses (*ours*):",
    formatTable(
      ["status", "condition"],
      serviceStatuses.map(({ status, condition }) => [String(status), condition]),
    ),
    ...parts.flat(),
  ].join("\n\n") + "\n";
}
