/** `npm run make:fields`: writes the table of the API's fields anew, from the generated code of the official client. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fieldTable } from './generate-table.ts';

const FILE = join(import.meta.dirname, '../../../src/api/fields/field-table.ts');

const BEGIN = 'FIELD_TABLE = ';
const head = readFileSync(FILE, 'utf8').split(BEGIN)[0];
writeFileSync(FILE, `${head}${BEGIN}\`${fieldTable()}\`;\n`);
