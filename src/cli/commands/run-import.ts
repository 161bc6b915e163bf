import { Anonymiser } from '../../live/anonymise/anonymise.ts';
import { IMPORTED, type ImportedResource, importCluster } from '../../live/import-cluster.ts';
import { checkRights } from '../../live/rights.ts';
import { groupOf } from '../../remote/resource-path.ts';
import type { ClusterFlags } from '../flags/cluster-flags.ts';
import { ObjectList } from '../output/object-list.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { connectTo } from './connect-to.ts';

/** What `berth import` was asked for. */
export interface ImportFlags extends ClusterFlags {
  readonly output: 'json' | 'yaml';
  readonly kubeApiQps: number;
  readonly anonymise?: number;
  readonly quiet?: true;
}

/** Reads the cluster and prints it. @throws CodedError */
export async function printCluster(flags: ImportFlags, terminal: Terminal): Promise<void> {
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
