// Compiles a schema to standalone JavaScript, so that no run pays for it.
//
//   node ajv_compile.mjs SCHEMA.json OUT.mjs
import {readFileSync, writeFileSync} from "node:fs";
import Ajv2020 from "ajv/dist/2020.js";
import standaloneCode from "ajv/dist/standalone/index.js";

const [schemaPath, outPath] = process.argv.slice(2);
const schema = JSON.parse(readFileSync(schemaPath, "utf8"));
const ajv = new Ajv2020({strict: false, code: {source: true, esm: true, optimize: true}});
const code = standaloneCode.default(ajv, ajv.compile(schema));
// The runtime parts of ajv are CommonJS.
const requires = /require\(/.test(code) ? 'import {createRequire} from "node:module";\nconst require = createRequire(import.meta.url);\n' : "";
writeFileSync(outPath, requires + code);
