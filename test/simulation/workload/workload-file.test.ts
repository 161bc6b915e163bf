import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { CodedError } from '../../../src/lib/errors.ts';
import { Prng } from '../../../src/lib/prng.ts';
import type { Arrival } from '../../../src/simulation/workload/arrival.ts';
import { readWorkload } from '../../../src/simulation/workload/workload-file.ts';
import { textSource } from '../../manifests/text-source.ts';

const POD = { kind: 'Pod', metadata: { name: 'p' }, spec: { containers: [{ name: 'c' }] } };

const head = { apiVersion: 'berth.dev/v1alpha1', kind: 'Workload' };

function read(entries: unknown, files: Record<string, string> = {}) {
  const text = stringify({ ...head, arrivals: entries });
  return readWorkload('dir/w.yaml', textSource({ 'dir/w.yaml': text, ...files }));
}

async function arrivalsOf(entry: object, files?: Record<string, string>): Promise<Arrival[]> {
  const { sources } = await read([{ object: POD, ...entry }], files);
  const arrivals: Arrival[] = [];
  const iterator = sources[0]?.arrivals(new Prng(1));
  for (let next = iterator?.next(); next !== undefined && !next.done; next = iterator?.next())
    arrivals.push(next.value);
  return arrivals;
}

const summary = (arrivals: readonly Arrival[]) =>
  arrivals.map(({ atMillis, object }) => `${atMillis} ${object.metadata?.name}`);

describe('readWorkload', () => {
  it('brings a single object under its own name', async () => {
    const [arrival, ...others] = await arrivalsOf({ at: '90s' });
    expect(others).toEqual([]);
    expect(arrival).toMatchObject({ resource: 'pods', atMillis: 90_000, deletionMillis: Number.POSITIVE_INFINITY });
    expect(arrival?.object.metadata?.name).toBe('p');
  });

  it('numbers several', async () => {
    expect(summary(await arrivalsOf({ at: ['1s', '0s'], count: 2 }))).toEqual([
      '0 p-0',
      '0 p-1',
      '1000 p-2',
      '1000 p-3',
    ]);
    expect(summary(await arrivalsOf({ rate: '2/s', count: 3 }))).toEqual(['0 p-0', '500 p-1', '1000 p-2']);
  });

  it('leaves a generateName alone', async () => {
    const object = { ...POD, metadata: { generateName: 'g-' } };
    const arrivals = await arrivalsOf({ at: '0s', count: 2, object });
    expect(arrivals.map(({ object: { metadata } }) => metadata)).toEqual([
      { generateName: 'g-' },
      { generateName: 'g-' },
    ]);
  });

  it('takes times from a file that stands beside it', async () => {
    const arrivals = await arrivalsOf({ trace: 'times.txt' }, { 'dir/times.txt': '3 # third\n\n0.5\n# none\n1\n' });
    expect(summary(arrivals)).toEqual(['500 p-0', '1000 p-1', '3000 p-2']);
  });

  it('says on the pods how long containers run, and when objects are deleted', async () => {
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c' }] } };
    const object = { kind: 'Job', metadata: { name: 'j' }, spec: { template } };
    const [arrival] = await arrivalsOf({ at: '0s', duration: 'uniform(1s, 2s)', lifetime: '1m', object });
    expect(arrival?.deletionMillis).toBe(60_000);
    expect(arrival?.object).toMatchObject({
      spec: { template: { metadata: { annotations: { 'berth.dev/run-duration': 'uniform(1s, 2s)' } } } },
    });
  });

  it.each([
    [[], 'arrivals: must hold at least one item'],
    [[{ at: '0s' }], 'arrivals[0].object: is required'],
    [[{ object: POD }], 'arrivals[0]: needs one of at, rate, poisson, trace'],
    [[{ object: POD, at: '0s', rate: '1/s' }], 'arrivals[0]: needs only one of at, rate, poisson, trace'],
    [
      [{ object: POD, at: 'soon' }],
      'arrivals[0].at: must be a duration such as "90s", of at most 2562047h, not "soon"',
    ],
    [
      [{ object: POD, at: ['0s', -1] }],
      'arrivals[0].at[1]: must be a duration such as "90s", of at most 2562047h, not -1',
    ],
    [[{ object: POD, rate: '10' }], 'arrivals[0].rate: must be a rate such as "10/s", "6/m" or "0.5/h", not "10"'],
    [[{ object: POD, poisson: '0/s' }], 'arrivals[0].poisson: must be a rate'],
    [[{ object: POD, at: '0s', count: 0 }], 'arrivals[0].count: must be between 1 and'],
    [[{ object: POD, at: '0s', from: '1s' }], 'arrivals[0]: at has no from and until'],
    [[{ object: POD, at: '0s', lifetime: 'normal(3s)' }], 'arrivals[0].lifetime: unknown distribution "normal"'],
    [[{ object: POD, at: '0s', colour: 'red' }], 'arrivals[0].colour: unknown field (known: name, at,'],
    [[{ object: { kind: 'Pot' }, at: '0s' }], 'arrivals[0].object.kind: unknown kind "Pot" (known: Node, Pod'],
  ])('says file, path and reason of what is wrong (%#)', async (entries, message) => {
    await expect(read(entries)).rejects.toThrow(`dir/w.yaml: ${message}`);
  });

  it('says where a trace is wrong', async () => {
    const entry = { object: POD, trace: 't' };
    await expect(read([entry], { 'dir/t': '1\nx\n' })).rejects.toThrow(
      'dir/t:2: expected a time in seconds, found "x"',
    );
    await expect(read([entry], { 'dir/t': '# none\n' })).rejects.toThrow('dir/t: holds no time');
    await expect(read([entry])).rejects.toThrow('dir/t: no such file');
  });

  it.each([
    ['kind: Workload\n', 'w: apiVersion: is required'],
    ['apiVersion: berth.dev/v1alpha1\nkind: Faults\n', 'w: kind: unknown kind "Faults" (known: Workload)'],
    ['[1]', 'w: must hold one Workload object'],
    ['a: [', 'w:1:'],
  ])('reads nothing else (%#)', async (text, message) => {
    await expect(readWorkload('w', textSource({ w: text }))).rejects.toThrow(message);
  });

  it('refuses whatever else it is given in one line', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
        const text = JSON.stringify({ ...head, arrivals: [value] });
        const error = await readWorkload('w.json', textSource({ 'w.json': text })).catch((caught: unknown) => caught);
        expect(error).toBeInstanceOf(CodedError);
        expect((error as Error).message).toMatch(/^w\.json: arrivals.*$/);
      }),
    );
  });
});
