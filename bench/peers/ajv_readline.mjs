// JSON Lines in Node as most scripts read them.
//
//   node ajv_readline.mjs VALIDATOR.mjs FILE.jsonl
import {createReadStream} from "node:fs";
import {createInterface} from "node:readline";
import {pathToFileURL} from "node:url";

const {default: validate} = await import(pathToFileURL(process.argv[2]));
const lines = createInterface({input: createReadStream(process.argv[3]), crlfDelay: Infinity});
let wrong = 0;
lines.on("line", (line) => {
  if (!validate(JSON.parse(line))) {
    wrong++;
    process.stdout.write(JSON.stringify(validate.errors) + "\n");
  }
});
lines.on("close", () => {
  process.exitCode = wrong > 0 ? 1 : 0;
});
