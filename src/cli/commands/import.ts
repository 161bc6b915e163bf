import { Command } from 'commander';
import { Anonymiser } from '../../live/anonymise/anonymise.ts';
import { IMPORTED, type ImportedResource, importCluster } from '../../live/import-cluster.ts';
import { checkRights } from '../../live/rights.ts';
import { groupOf } from '../../remote/resource-path.ts';
import { addClusterOptions, type ClusterFlags, connectTo } from '../flags/cluster-flags.ts';
import { numberOption, outputOption } from '../flags/options.ts';
import { ObjectList } from '../output/object-list.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ImportFlags extends ClusterFlags {
  readonly output: 'json' | 'yaml';
  readonly kubeApiQps: number;
  readonly anonymise?: number;
  readonly quiet?: true;
}

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
    .action((flags: ImportFlags) => printCluster(flags, terminal));
}

/** @throws CodedError */
async function printCluster(flags: ImportFlags, terminal: Terminal): Promise<void> {
  const options = { qps: flags.kubeApiQps, userAgent: 'berth-import' };
  const { connection, loop } = await connectTo(flags, options, (error) => terminal.log(`error: ${error}`));
  try {
    await checkRights(
      connection,
      IMPORTED.map((resource) => ({ verb: 'list', group: groupOf(resource), resource })),
    );
    const list = new ObjectList(flags.output, (text) => terminal.print(text));
    const anonymiser = flags.anonymise === undefined ? undefined : new Anonymiser(flags.anonymise);
    const read: ImportedResource[] = [];
    for await (const each of importCluster(connection)) {
      for (const object of each.objects) await list.add(anonymiser?.object(object) ?? object);
      read.push(each);
    }
    await list.end();
    if (!flags.quiet) terminal.log(summaryOf(read));
  } finally {
    await connection.close();
    loop.close();
  }
}

/** `read 12 nodes, 340 pods, 25 other objects; read later than the rest: csinodes` */
function summaryOf(read: readonly ImportedResource[]): string {
  const countOf = (resource: string) => read.find((each) => each.resource === resource)?.objects.length ?? 0;
  const total = read.reduce((sum, { objects }) => sum + objects.length, 0);
  const [nodes, pods] = [countOf('nodes'), countOf('pods')];
  const later = read.filter(({ isOfOneMoment }) => !isOfOneMoment).map(({ resource }) => resource);
  const note = later.length === 0 ? '' : `; read later than the rest: ${later.join(', ')}`;
  return `read ${nodes} nodes, ${pods} pods and ${total - nodes - pods} other objects${note}`;
}
