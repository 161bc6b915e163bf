import { Command, Option } from 'commander';
import { addClusterOptions } from '../flags/cluster-flags.ts';
import { durationArgument } from '../flags/duration.ts';
import { numberOption } from '../flags/options.ts';
import type { Terminal } from '../terminal/terminal.ts';
import type { Outcome } from './outcome.ts';
import type { RecordFlags } from './run-record.ts';

const QPS = 50;
const SEED_MAX = Number.MAX_SAFE_INTEGER;

const AFTER_HELP = `
FILE gets a line for each change of an object that scheduling reads, with its time, until the command is ended: NDJSON,
gzip-compressed. If FILE is there, its recording goes on: a recorder that was stopped, or killed, misses nothing that
the server still knows. Only its owner may read the file; Secrets and ConfigMaps are not recorded, but what stands in
the specs of pods is.

--anonymise replaces names as berth import does, before anything is written; such a recording cannot go on.

berth simulate --trace FILE plays it again, under any configuration.

The kubeconfig is read by @kubernetes/client-node, which must be installed beside this package: npm install
@kubernetes/client-node@1.

Examples:
  berth record monday.ndjson.gz --for 24h
  berth record monday.ndjson.gz --context prod
  berth record for-a-bug-report.ndjson.gz --for 1h --anonymise 42

Exit code: 0 when the time of --for is over, 1 error, 130 after Ctrl-C (143 after SIGTERM), when all is written.`;

export function recordCommand(terminal: Terminal, outcome: Outcome): Command {
  return addClusterOptions(new Command('record'))
    .description('Writes down what happens in a real cluster: pods, nodes, and what else scheduling reads.')
    .argument('<file>', 'the recording; one that is there goes on')
    .addOption(new Option('--for <time>', 'how long, such as 1h (default: without end)').argParser(durationArgument))
    .addOption(numberOption('kube-api-qps', 'requests a second, 0 without limit', 0, 1e6).default(QPS))
    .addOption(numberOption('anonymise', 'replace all names, in a way that this seed decides', 0, SEED_MAX))
    .addHelpText('after', AFTER_HELP)
    .action(async (file: string, flags: RecordFlags) => {
      // Other commands need not wait for the clients to be loaded.
      const { recordCluster } = await import('./run-record.ts');
      outcome.exitCode = await recordCluster(file, flags, terminal);
    });
}
