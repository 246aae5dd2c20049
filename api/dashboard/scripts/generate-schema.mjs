// Generates src/api/schema.d.ts from the OpenAPI document, and checks it with `--check`.
import { readFile, writeFile } from "node:fs/promises";
import openapiTS, { astToString } from "openapi-typescript";

const DOCUMENT = new URL("../../openapi.json", import.meta.url);
const SCHEMA = new URL("../src/api/schema.d.ts", import.meta.url);

const header = "// Generated from the OpenAPI document by `npm run generate`. Do not edit.\n\n";
const generated = header + astToString(await openapiTS(DOCUMENT));

if (process.argv.includes("--check")) {
  const committed = await readFile(SCHEMA, "utf8").catch(() => "");
  if (committed !== generated) {
    console.error("src/api/schema.d.ts is out of date: run `npm run generate`");
    process.exit(1);
  }
} else {
  await writeFile(SCHEMA, generated);
}
