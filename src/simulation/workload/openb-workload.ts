import type { Node } from '../../api/node.ts';
import type { CsvFile } from '../input/csv-table.ts';
import { openbTrace } from '../input/openb.ts';
import type { Arrival, ArrivalSource } from './arrival.ts';

/**
 * The openb trace as a workload: each pod is created at its creation_time and deleted at its deletion_time, whatever
 * happened to it in the trace. The clock begins with the first pod.
 *
 * @throws CodedError `InvalidTrace` naming file, line and column
 */
export function openbWorkload(
  nodeFile: CsvFile,
  podFile: CsvFile,
): { readonly nodes: readonly Node[]; readonly source: ArrivalSource } {
  const { nodes, pods } = openbTrace(nodeFile, podFile);
  const firstSeconds = pods[0]?.creationSeconds ?? 0;
  const sinceFirst = (seconds: number): number => Math.round((seconds - firstSeconds) * 1000);
  const arrivals: Arrival[] = pods.map(({ pod, creationSeconds, deletionSeconds }) => ({
    resource: 'pods',
    object: pod,
    atMillis: sinceFirst(creationSeconds),
    deletionMillis: deletionSeconds === undefined ? Number.POSITIVE_INFINITY : sinceFirst(deletionSeconds),
  }));
  return { nodes, source: listedSource(podFile.name, arrivals) };
}

/** A source of arrivals that are all known from the beginning, in the order of their times. */
export function listedSource(name: string, arrivals: readonly Arrival[]): ArrivalSource {
  let endMillis = 0;
  for (const { atMillis, deletionMillis } of arrivals) {
    const lastMillis = deletionMillis === Number.POSITIVE_INFINITY ? atMillis : deletionMillis;
    endMillis = Math.max(endMillis, lastMillis);
  }
  return {
    name,
    count: arrivals.length,
    endMillis,
    *arrivals() {
      yield* arrivals;
    },
  };
}
