// JSON files in Node, one JSON text each: a file, or all of a folder.
//
//   node ajv_files.mjs VALIDATOR.mjs PATH
import {readFileSync, readdirSync, statSync} from "node:fs";
import {join} from "node:path";
import {pathToFileURL} from "node:url";

const {default: validate} = await import(pathToFileURL(process.argv[2]));
const path = process.argv[3];
const files = statSync(path).isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [path];
let wrong = 0;
for (const file of files) {
  if (validate(JSON.parse(readFileSync(file, "utf8")))) continue;
  wrong++;
  process.stdout.write(JSON.stringify({file, errors: validate.errors}) + "\n");
}
process.exitCode = wrong > 0 ? 1 : 0;
