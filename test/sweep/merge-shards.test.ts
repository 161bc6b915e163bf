import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ReadableFile } from '../../src/sweep/line-reader.ts';
import { mergeRows, openShards } from '../../src/sweep/merge-shards.ts';
import { runIndexAt, runsOfShard } from '../../src/sweep/shard.ts';
import { headerOf, type SweepHeader, shardHeader } from '../../src/sweep/sweep-header.ts';
import { PLAN } from './a-plan.ts';

const headerFor = (runs: number): SweepHeader => headerOf({ ...PLAN, seeds: `1..${runs}` }, new Map(), '1.2.3');
const row = (run: number, text = '') => `{"run":${run},"seed":${run},"text":${JSON.stringify(text)}}\n`;

function file(name: string, text: string): ReadableFile {
  const bytes = Buffer.from(text);
  return {
    ...{ name, sizeBytes: bytes.length },
    read: (target, from) => bytes.copy(target, 0, from, Math.min(bytes.length, from + target.length)),
  };
}

/** The shards of a sweep whose rows have these texts. */
function shardsOf(header: SweepHeader, of: number, texts: readonly string[]): ReadableFile[] {
  return Array.from({ length: of }, (_, i) => {
    const shard = { shard: i + 1, of };
    const rows = Array.from({ length: runsOfShard(shard, header.runs) }, (_row, position) => {
      const index = runIndexAt(shard, position);
      return row(index + 1, texts[index % texts.length]);
    });
    return file(`part-${i + 1}`, `${JSON.stringify(shardHeader(header, shard))}\n${rows.join('')}`);
  });
}

function merged(files: readonly ReadableFile[]): string {
  const shards = openShards(files);
  let text = `${JSON.stringify(shards.header)}\n`;
  mergeRows(
    shards,
    (buffer, start, end) => {
      text += `${buffer.toString('utf8', start, end)}\n`;
    },
    () => {},
  );
  return text;
}

describe('a merge', () => {
  it('is the file of one machine, whatever the number of shards and the lengths of rows', () => {
    const texts = fc.array(fc.oneof(fc.string({ maxLength: 30 }), fc.constant('ä'.repeat(9000))), { minLength: 1 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 130 }), fc.integer({ min: 1, max: 12 }), texts, (runs, of, given) => {
        const header = headerFor(runs);
        const rows = Array.from({ length: runs }, (_, i) => row(i + 1, given[i % given.length]));
        const files = shardsOf(header, of, given).toReversed();
        expect(merged(files)).toBe(`${JSON.stringify(header)}\n${rows.join('')}`);
      }),
      { numRuns: 60 },
    );
  });

  it('of a whole file is that file', () => {
    const text = `${JSON.stringify(headerFor(2))}\n${row(1)}${row(2)}`;
    expect(merged([file('whole', text)])).toBe(text);
  });
});

describe('a merge refuses', () => {
  const header = headerFor(7);
  const [a, b, c] = shardsOf(header, 3, ['x']) as [ReadableFile, ReadableFile, ReadableFile];
  const cut = (given: ReadableFile, bytes: number): ReadableFile => {
    const content = Buffer.alloc(given.sizeBytes + bytes);
    given.read(content, 0);
    return file(given.name, content.toString());
  };
  const rowBytes = row(1, 'x').length;
  const other = (berth: string, runs: number) =>
    shardsOf({ ...headerOf({ ...PLAN, seeds: `1..${runs}` }, new Map([['f', Buffer.from(berth)]]), berth) }, 3, [
      'x',
    ])[2];

  it.each<[string, readonly (ReadableFile | undefined)[], RegExp]>([
    ['missing shards', [b], /^shards 1, 3 of 3 missing: run again with --shard 1\/3, or --resume$/],
    ['double shards', [a, b, c, file('again', 'x')], /^again: is truncated: not even its header is there$/],
    ['a shard that is there twice', [a, b, c, { ...b, name: 'b2' }], /^shard 2 of 3 is there twice: part-2 and b2$/],
    ['a cut row', [a, cut(b, -3), c], /^truncated: part-2 \(shard 2 of 3, 1 of 2 rows\); --resume goes on with/],
    ['rows that are not there', [cut(a, -2 * rowBytes), b, c], /^truncated: part-1 \(shard 1 of 3, 1 of 3 rows\)/],
    ['only a header', [cut(a, -3 * rowBytes), b, cut(c, -9)], /part-1 \(.*, 0 of 3 rows\), part-3 \(.*, 1 of 2 rows\)/],
    [
      'another version',
      [a, b, other('9.9', 7)],
      /^part-3: is of another sweep than part-1: berth "9\.9", not "1\.2\.3"/,
    ],
    [
      'other seeds',
      [a, b, other('1.2.3', 8)],
      /^part-3: is of another sweep than part-1: seeds "1\.\.8", not "1\.\.7"/,
    ],
    ['other input', [a, b, other('1.2.3', 7)], /^part-3: is of another sweep than part-1: files \[\{"name":"f"/],
    [
      'shards of others',
      [a, ...shardsOf(header, 4, ['x']).slice(1)],
      /^part-2: is one of 4 shards, but part-1 is one of 3/,
    ],
    ['what is none', [a, file('text', 'kind: Node\n')], /^text: was not written by berth sweep$/],
  ])('%s', (_what, files, message) => {
    expect(() => merged(files as ReadableFile[])).toThrow(message);
  });

  it('rows in another place', () => {
    const text = `${JSON.stringify(headerFor(3))}\n${row(2)}${row(1)}${row(3)}`;
    expect(() => merged([file('f', text)])).toThrow('f: the row of run 1 is not where it should be');
    const twice = `${JSON.stringify(headerFor(2))}\n${row(1)}${row(1)}${row(2)}`;
    expect(() => merged([file('f', twice)])).toThrow('f: the row of run 2 is not where it should be');
    const more = `${JSON.stringify(headerFor(1))}\n${row(0)}${row(1)}`;
    expect(() => merged([file('f', more)])).toThrow('f: the row of run 1 is not where it should be');
  });
});
