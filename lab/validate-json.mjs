// node validate-json.mjs SCHEMA FILE...: validates JSON documents by ajv, strictly, and prints a line for each error.
// Exit status: 0 all are valid; 1 one is not, or the schema itself is wrong.
import { readFileSync } from 'node:fs';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

const [schema, ...files] = process.argv.slice(2);
const ajv = new Ajv.default({ strict: true, allErrors: true });
addFormats.default(ajv);
const documents = JSON.parse(readFileSync(schema, 'utf8'));
ajv.addSchema(documents, 'all');
const validate = ajv.getSchema('all');
// The error of a choice among a dozen documents says nothing: the one whose name the file has is asked.
const definitions = new Map(Object.entries(documents.$defs).map(([name, d]) => [d.properties?.schema?.const, name]));
for (const file of files) {
    const content = JSON.parse(readFileSync(file, 'utf8'));
    if (validate(content)) {
        continue;
    }

    process.exitCode = 1;
    const name = definitions.get(content.schema);
    const own = name && ajv.getSchema(`all#/$defs/${name}`);
    const errors = own && !own(content) ? own.errors : [{ instancePath: '', message: `${content.schema} is none of the documents that oneOf names` }];
    for (const error of errors) {
        console.log(`${file}: ${error.instancePath || '/'} ${error.message}`);
    }
}
