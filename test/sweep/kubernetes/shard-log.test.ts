import { describe, expect, it } from 'vitest';
import { shardFileOf } from '../../../src/sweep/kubernetes/shard-log.ts';
import { headerOf, shardHeader } from '../../../src/sweep/sweep-header.ts';
import { PLAN } from '../a-plan.ts';

const header = shardHeader(headerOf({ ...PLAN, seeds: '1..4' }, new Map(), '1'), { shard: 2, of: 2 });
const first = JSON.stringify(header);
const rows = ['{"run":2,"x":1}', '{"run":4,"x":1}'];

describe('the log of a shard', () => {
  it('is its file, without what was written to standard error', () => {
    const log = ['shard 2 of 2, by X', first, rows[0], '50% runs (1 s)', rows[1], '2 of 2 runs, in 1 s', ''].join('\n');
    expect(shardFileOf(log, header, 'shard 2')).toBe(`${first}\n${rows.join('\n')}\n`);
  });

  it.each([
    ['', 'its header is not there'],
    [rows.join('\n'), 'its header is not there'],
    [`${first}\n${rows[0]}\n`, '1 of 2 rows are there'],
    [`${JSON.stringify({ ...header, berth: '2' })}\n${rows.join('\n')}\n`, 'its header is not there'],
  ])('that is not complete is refused: %j', (log, reason) => {
    expect(() => shardFileOf(log, header, 'shard 2')).toThrow(`shard 2 is not complete, ${reason}`);
  });
});
