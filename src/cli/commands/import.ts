import { Command } from 'commander';
import { addClusterOptions } from '../flags/cluster-flags.ts';
import { numberOption, outputOption } from '../flags/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { ImportFlags } from './run-import.ts';

const QPS = 50;
const SEED_MAX = Number.MAX_SAFE_INTEGER;

const AFTER_HELP = `
Reads what scheduling needs: nodes, pods, volumes, claims, classes, budgets, priorities, workloads. Everything is read
as it was at one moment, as far as the server keeps that. Secrets and ConfigMaps are not read.

--anonymise replaces names, labels and images word by word, and leaves out environments, commands, messages and
addresses: decisions are the same, and nobody is named. CEL expressions, attributes of devices and names of drivers
stay.

The kubeconfig is read by @kubernetes/client-node, which must be installed beside this package: npm install
@kubernetes/client-node@1.

Examples:
  berth import > cluster.json
  berth import --anonymise 42 > for-a-bug-report.json
  berth import --context prod | berth schedule -f -
  berth import | berth what-if -f - --lose topology.kubernetes.io/zone=b`;

export function importCommand(terminal: Terminal): Command {
  return addClusterOptions(new Command('import'))
    .description('Reads a real cluster, and prints it as a List that the other commands take.')
    .addOption(outputOption('how the List is printed', ['json', 'yaml']))
    .addOption(numberOption('kube-api-qps', 'requests a second, 0 without limit', 0, 1e6).default(QPS))
    .addOption(numberOption('anonymise', 'replace all names, in a way that this seed decides', 0, SEED_MAX))
    .option('-q, --quiet', 'print no summary')
    .addHelpText('after', AFTER_HELP)
    .action(async (flags: ImportFlags) => {
      // Other commands need not wait for the clients to be loaded.
      const { printCluster } = await import('./run-import.ts');
      await printCluster(flags, terminal);
    });
}
