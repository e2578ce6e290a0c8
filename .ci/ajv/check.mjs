// Judges records by the published schemas with ajv and reports where it
// disagrees with lmclint. The other schemas, such as those of configurations and
// reports, must compile as well, and accept their examples.
//
//   node check.mjs CASES.jsonl
//
// A line of CASES is {"dialect", "part", "record", "valid"}: the schema
// schema/<dialect>/<part>.schema.json must find the record valid or not. The manifest
// of the conformance suite must be valid, too.
// Exit status 1 if it does not, 2 if nothing could be checked.
import {readFileSync, readdirSync, existsSync} from "node:fs";
import {dirname, join} from "node:path";
import {fileURLToPath} from "node:url";
import Ajv from "ajv"; // of draft-07
import Ajv2020 from "ajv/dist/2020.js";

const folder = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "schema");

// Every schema is compiled by itself, so that none leans on another.
function load(...path) {
  const schema = JSON.parse(readFileSync(join(folder, ...path), "utf8"));
  const Draft = schema.$schema.includes("draft-07") ? Ajv : Ajv2020;
  const validate = new Draft({strict: true, allowUnionTypes: true, allErrors: true}).compile(schema);
  for (const example of schema.examples ?? []) {
    if (!validate(example)) {
      throw new Error(`${schema.$id}: example is invalid: ${JSON.stringify(example)}`);
    }
  }
  return validate;
}

function loadAll() {
  const schemas = new Map();
  for (const dialect of readdirSync(folder)) {
    if (!existsSync(join(folder, dialect, "chunk.schema.json"))) continue;
    for (const part of ["message", "chunk", "confirmation", "transcript"]) {
      schemas.set(`${dialect}/${part}`, load(dialect, `${part}.schema.json`));
    }
  }
  return schemas;
}

for (const file of readdirSync(folder)) if (file.endsWith(".schema.json")) load(file);
const manifest = JSON.parse(readFileSync(join(folder, "..", "testdata", "manifest.json"), "utf8"));
if (!load("suite.schema.json")(manifest)) throw new Error("testdata/manifest.json is invalid");
const schemas = loadAll();
let checked = 0;
let wrong = 0;
for (const line of readFileSync(process.argv[2], "utf8").split("\n")) {
  if (line === "") continue;
  const {dialect, part, record, valid} = JSON.parse(line);
  const validate = schemas.get(`${dialect}/${part}`);
  checked++;
  if (validate(record) === valid) continue;
  wrong++;
  const found = valid ? JSON.stringify(validate.errors) : "nothing";
  console.log(`${dialect} ${part} ${JSON.stringify(record)}: lmclint says ${valid ? "valid" : "invalid"}, ajv finds ${found}`);
}
console.log(`${schemas.size} schemas, ${checked} records, ${wrong} disagreements`);
process.exitCode = checked === 0 ? 2 : wrong > 0 ? 1 : 0;
