import { Command } from 'commander';
import { outputOption } from '../flags/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { OpenbFormat } from './run-import-openb.ts';

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
    .action(async (nodesFile: string, podsFile: string, { output }: { readonly output: OpenbFormat }) => {
      // Other commands need not wait for the readers of traces.
      const { printOpenb } = await import('./run-import-openb.ts');
      await printOpenb(nodesFile, podsFile, output, terminal);
    });
}
