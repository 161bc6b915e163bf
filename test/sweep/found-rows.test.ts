import { describe, expect, it } from 'vitest';
import { checkFound, type FoundLine } from '../../src/sweep/found-rows.ts';
import { headerOf, shardHeader } from '../../src/sweep/sweep-header.ts';
import { SweepRuns } from '../../src/sweep/sweep-plan.ts';
import { PLAN } from './a-plan.ts';

const plan = { ...PLAN, seeds: '5..10' };
const shard = { shard: 2, of: 2 };
const header = shardHeader(headerOf(plan, new Map([['ä.yaml', Buffer.from('x')]]), '1.2.3'), shard);
const HEADER = JSON.stringify(header);
const [first, second, third] = [
  [2, 6],
  [4, 8],
  [6, 10],
].map(([run, seed]) => `{"run":${run},"seed":${seed},"x":1}`) as [string, string, string];

const check = async (text: string) =>
  checkFound(linesOf(text), { name: 'f', header, runs: new SweepRuns(plan), shard });

describe('checkFound', () => {
  it('keeps whole lines', async () => {
    expect(await check('')).toEqual({ rows: 0, bytes: 0 });
    expect(await check(`${HEADER}\n`)).toEqual({ rows: 0, bytes: Buffer.byteLength(HEADER) + 1 });
    const two = `${HEADER}\n${first}\n${second}\n`;
    expect(await check(two)).toEqual({ rows: 2, bytes: Buffer.byteLength(two) });
    expect(await check(two + third)).toEqual({ rows: 2, bytes: Buffer.byteLength(two) });
    expect(await check(`${two}${third}\n`)).toMatchObject({ rows: 3 });
    expect(await check(HEADER.slice(0, 9))).toEqual({ rows: 0, bytes: 0 });
    expect(await check(HEADER.slice(0, -9))).toEqual({ rows: 0, bytes: 0 });
  });

  it.each<[string, string, string]>([
    ['NotASweep', 'kind: Node\n', 'f: was not written by berth sweep'],
    ['NotASweep', 'kind: Node', 'f: was not written by berth sweep'],
    ['NotASweep', '{"format":"berth-bench"}\n', 'f: was not written by berth sweep'],
    ['NotASweep', '{"format":"berth-sweep","version":1}\n', 'f: has version 1 of the format, not 2'],
    ['NotASweep', `${HEADER}\n${second}\n`, 'f:2: is not the line of run 2, seed 6'],
    ['NotASweep', `${HEADER}\n${first.slice(0, -1)}\n`, 'f:2: is not the line of run 2, seed 6'],
    ['NotASweep', `${HEADER}\n${first}\n\n`, 'f:3: is not the line of run 4, seed 8'],
    ['NotASweep', `${HEADER}\n${first}\n${second}\n${third}\n${third}\n`, 'f:5: is one line too many'],
  ])('refuses what is none: %s', async (code, text, message) => {
    await expect(check(text)).rejects.toMatchObject({ code, message });
  });

  it('says in what another sweep, and another shard, differ', async () => {
    const lines = (value: object) => `${JSON.stringify(value)}\n`;
    await expect(check(lines({ ...header, berth: '1.2.4' }))).rejects.toMatchObject({
      code: 'OtherSweep',
      message: 'f: is of another sweep: berth "1.2.4", not "1.2.3"',
    });
    const other = headerOf({ ...plan, seeds: '5..11' }, new Map(), '1.2.3');
    await expect(check(lines(other))).rejects.toThrow(
      /^f: is of another sweep: seeds "5\.\.11", not "5\.\.10"; files /,
    );
    await expect(check(lines({ ...header, shard: { shard: 1, of: 2, rows: 3 } }))).rejects.toThrow(
      'f: is of another shard: {"shard":1,"of":2,"rows":3}, not {"shard":2,"of":2,"rows":3}',
    );
  });
});

async function* linesOf(text: string): AsyncGenerator<FoundLine> {
  let endByte = 0;
  for (const line of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    endByte += Buffer.byteLength(line);
    yield { text: line.replace('\n', ''), isWhole: line.endsWith('\n'), endByte };
  }
}
