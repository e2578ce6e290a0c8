// Reads scripts by the grammar of PowerShell that VS Code uses.
//
//   node check.mjs SCRIPT...
//
// Exit status 1 if one of them is not PowerShell, 2 if nothing was read.
import {readFileSync} from "node:fs";
import {createRequire} from "node:module";
import {dirname, join} from "node:path";

const runtime = createRequire(import.meta.url).resolve("@vscode/tree-sitter-wasm/wasm/tree-sitter.js");
const {Language, Parser} = createRequire(import.meta.url)(runtime);
await Parser.init({locateFile: file => join(dirname(runtime), file)});
const parser = new Parser();
parser.setLanguage(await Language.load(join(dirname(runtime), "tree-sitter-powershell.wasm")));

// The places of what the grammar does not know, or misses.
function* faults(node) {
  if (node.isError || node.isMissing) yield node.startPosition;
  for (const child of node.children) yield* faults(child);
}

let wrong = 0;
for (const file of process.argv.slice(2)) {
  for (const {row, column} of faults(parser.parse(readFileSync(file, "utf8")).rootNode)) {
    wrong++;
    console.log(`${file}:${row + 1}:${column + 1}: not PowerShell`);
  }
}
const read = process.argv.length - 2;
console.log(`${read} scripts, ${wrong} faults`);
process.exitCode = read === 0 ? 2 : wrong > 0 ? 1 : 0;
