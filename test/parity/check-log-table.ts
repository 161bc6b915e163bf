import { goLog } from '../../src/lib/go-log.ts';
import type { Difference } from './differences.ts';
import type { RecordedCase } from './read-cases.ts';

/** `logBits[i]` is ln(i + 2) as kube-scheduler computed it, a double in big-endian hexadecimal. */
export function checkLogTable({ logBits = [] }: RecordedCase): Difference[] {
  if (logBits.length === 0) return [{ field: 'logBits', expected: 'a table', got: 'nothing' }];
  const view = new DataView(new ArrayBuffer(8));
  return logBits.flatMap((expected, i) => {
    view.setFloat64(0, goLog(i + 2));
    const got = view.getBigUint64(0).toString(16).padStart(16, '0');
    return got === expected ? [] : [{ field: `logBits[${i}]`, expected, got }];
  });
}
