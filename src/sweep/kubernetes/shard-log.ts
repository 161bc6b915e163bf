import { CodedError } from '../../lib/errors.ts';
import type { SweepHeader } from '../sweep-header.ts';

/**
 * The file of a shard from what its pod has written. In a log other lines may stand: Kubernetes mixes standard error
 * into it.
 *
 * @throws CodedError `ShardTruncated` when rows are missing
 */
export function shardFileOf(log: string, header: SweepHeader, what: string): string {
  const first = JSON.stringify(header);
  const begin = log.indexOf(first);
  const rows =
    begin < 0
      ? []
      : log
          .slice(begin + first.length)
          .split('\n')
          .filter((line) => line.startsWith(ROW));
  const wanted = header.shard?.rows ?? header.runs;
  if (begin >= 0 && rows.length === wanted) return [first, ...rows, ''].join('\n');
  const found = begin < 0 ? 'its header is not there' : `${rows.length} of ${wanted} rows are there`;
  throw new CodedError('ShardTruncated', `${what} is not complete, ${found}`);
}

const ROW = '{"run":';
