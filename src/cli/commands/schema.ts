import { Argument, Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import type { SchemaName } from './schemas.ts';

const SCHEMA_NAMES: readonly SchemaName[] = ['workload', 'faults', 'annotations', 'configuration', 'recording'];

const AFTER_HELP = `
Editors check files by a schema while they are written.

Examples:
  berth schema workload > workload.schema.json
and in the first line of a workload file:
  # yaml-language-server: $schema=workload.schema.json`;

export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('Prints the JSON Schema of a file format.')
    .addArgument(new Argument('<name>', 'the format').choices(SCHEMA_NAMES))
    .addHelpText('after', AFTER_HELP)
    .action(async (name: SchemaName) => {
      // Other commands need not wait for what the schemas are made of.
      const { SCHEMAS } = await import('./schemas.ts');
      await terminal.print(`${JSON.stringify(SCHEMAS[name], null, 2)}\n`);
    });
}
