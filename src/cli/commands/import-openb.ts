import { Command } from 'commander';
import { latePackage } from '../../lib/host-modules.ts';
import { readCsv } from '../../simulation/input/csv-table.ts';
import { openbCluster } from '../../simulation/input/openb.ts';
import { outputOption } from '../flags/options.ts';
import type { Terminal } from '../terminal/terminal.ts';

type Format = 'ndjson' | 'json' | 'yaml';

/** The number of objects written at once: enough to keep the pipe busy, and few enough to keep memory low. */
const OBJECTS_PER_WRITE = 500;

export function importOpenbCommand(terminal: Terminal): Command {
  return new Command('import-openb')
    .description('Turns an openb trace into manifests: import-openb NODES.csv PODS.csv | berth schedule -f -')
    .argument('<nodes>', 'node list (CSV)')
    .argument('<pods>', 'pod list (CSV)')
    .addOption(outputOption('one JSON object a line, a JSON List, or YAML documents', ['ndjson', 'json', 'yaml']))
    .addHelpText(
      'after',
      '\nGPUs become the extended resource alibabacloud.com/gpu-milli, pooled per node: a pod that needs a whole' +
        '\ndevice may be placed on pieces of several. cpu, memory and gpu models (gpu_spec) are exact.' +
        '\nAll pods are pending, ordered by creation_time. Files are CSV with the header line of the trace.\n' +
        '\nExamples:' +
        '\n  berth import-openb openb_node_list_all_node.csv openb_pod_list_default.csv | berth schedule -f -' +
        '\n  berth import-openb nodes.csv pods.csv -o yaml > openb.yaml',
    )
    .action(async (nodesFile: string, podsFile: string, flags: { readonly output: Format }) => {
      const { nodes, pods } = openbCluster(
        await readCsv(nodesFile, terminal.files),
        await readCsv(podsFile, terminal.files),
      );
      await write([...nodes, ...pods], flags.output, terminal);
      terminal.log(`${nodes.length} nodes, ${pods.length} pods`);
    });
}

async function write(objects: readonly object[], format: Format, terminal: Terminal): Promise<void> {
  if (format === 'json') {
    await terminal.print(`${JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }, null, 2)}\n`);
    return;
  }
  const text =
    format === 'ndjson'
      ? (object: object) => `${JSON.stringify(object)}\n`
      : (object: object) => `---\n${latePackage('yaml').stringify(object, { aliasDuplicateObjects: false })}`;
  for (let start = 0; start < objects.length; start += OBJECTS_PER_WRITE) {
    await terminal.print(
      objects
        .slice(start, start + OBJECTS_PER_WRITE)
        .map(text)
        .join(''),
    );
  }
}
