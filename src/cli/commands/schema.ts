import { Argument, Command } from 'commander';
import { CONFIGURATION_SCHEMA } from '../../config/configuration-schema.ts';
import { ANNOTATIONS_SCHEMA } from '../../simulation/formats/annotations-schema.ts';
import { FAULTS_SCHEMA } from '../../simulation/formats/faults-schema.ts';
import { RECORDING_SCHEMA } from '../../simulation/formats/recording-schema.ts';
import { WORKLOAD_SCHEMA } from '../../simulation/formats/workload-schema.ts';
import type { Terminal } from '../terminal/terminal.ts';

/**
 * The schemas of the formats that are documented in docs/formats, by name.
 *
 * @internal
 */
export const SCHEMAS: Readonly<Record<string, object>> = {
  workload: WORKLOAD_SCHEMA,
  faults: FAULTS_SCHEMA,
  annotations: ANNOTATIONS_SCHEMA,
  configuration: CONFIGURATION_SCHEMA,
  recording: RECORDING_SCHEMA,
};

const AFTER_HELP = `
Editors check files by a schema while they are written.

Examples:
  berth schema workload > workload.schema.json
and in the first line of a workload file:
  # yaml-language-server: $schema=workload.schema.json`;

export function schemaCommand(terminal: Terminal): Command {
  return new Command('schema')
    .description('Prints the JSON Schema of a file format.')
    .addArgument(new Argument('<name>', 'the format').choices(Object.keys(SCHEMAS)))
    .addHelpText('after', AFTER_HELP)
    .action(async (name: string) => {
      await terminal.print(`${JSON.stringify(SCHEMAS[name], null, 2)}\n`);
    });
}
