import { gzipSync } from 'node:zlib';
import { encode } from '@msgpack/msgpack';
import { describe, expect, it } from 'vitest';
import { readSimkubeTrace } from '../../../src/simulation/simkube/read-simkube-trace.ts';
import type { ReadChanges } from '../../../src/simulation/workload/workload-changes.ts';
import {
  simkubeEvent as event,
  liveDeployment,
  liveJob,
  livePod,
  makeSimkubeTrace,
} from '../../builders/make-simkube-trace.ts';

const read = async (bytes: Uint8Array, reading = {}) =>
  (await readSimkubeTrace(bytes, 't.sktrace', { objects: [], reading })) as ReadChanges;
const shown = ({ changes }: ReadChanges) =>
  changes.map(({ atMillis, verb, object }) => `${atMillis} ${verb} ${object.metadata?.name}`);
const durationIn = (object: unknown) => /"berth.dev\/run-duration":"(\w+)"/.exec(JSON.stringify(object))?.[1];

const EVENTS = [
  event(0, [liveDeployment('web', 2)]),
  event(60, [liveDeployment('web', 5), liveJob('import')]),
  event(90, [], [liveDeployment('web', 5)]),
];

describe('readSimkubeTrace', () => {
  it('reads what users did, at times since the first event, compressed or not', async () => {
    const bytes = makeSimkubeTrace(EVENTS);
    const plain = await read(bytes);
    expect(shown(plain)).toEqual(['0 apply web', '60000 apply web', '60000 apply import', '90000 delete web']);
    expect(plain.warnings).toEqual([]);
    expect(await read(gzipSync(bytes))).toEqual(plain);
    const object = plain.changes[0]?.object as unknown as Record<string, unknown>;
    expect([object['metadata'], object['status']]).toEqual([{ name: 'web', namespace: 'shop' }, undefined]);
  });

  it('leaves other formats to others', async () => {
    const texts = ['{"format":"berth-cluster-recording"}\n', '', '[1]'].map((text) => new TextEncoder().encode(text));
    for (const bytes of [...texts, ...texts.map((text) => gzipSync(text))]) expect(await read(bytes)).toBeUndefined();
  });

  it('takes how long pods ran: in version 3 by owner and change, in version 2 by owner', async () => {
    const finished = (from: number, to: number) => ({ lifecycle: { Finished: [from, to] } });
    const [first, second] = [EVENTS[1]?.ts ?? 0, (EVENTS[1]?.ts ?? 0) + 60];
    const index = {
      'batch/v1.Job': {
        'shop/import': {
          [first]: [finished(5, 8), finished(5, 9), { lifecycle: { Running: 5 } }],
          [second]: [finished(20, 21)],
        },
        'shop/endless': { [first]: [{ lifecycle: { Running: 5 } }, { lifecycle: 'Empty' }] },
      },
      'apps/v1.Deployment': { 'shop/web': { [first]: [finished(1, 2)] } },
    };
    const cron = { ...liveJob('nightly'), kind: 'CronJob', spec: { schedule: '@daily', jobTemplate: liveJob('') } };
    const applied = [liveJob('import'), liveJob('endless'), liveJob('other'), liveDeployment('web', 1)];
    const events = [event(60, applied), event(120, [liveJob('import')])];
    const later = await read(makeSimkubeTrace(events, { index }));
    expect(later.changes.map(({ object }) => [object.metadata?.name, durationIn(object)])).toEqual([
      ...[
        ['web', undefined],
        ['import', '3500ms'],
        ['endless', 'forever'],
        ['other', undefined],
        ['import', '1000ms'],
      ],
    ]);
    // A key of version 2 is a list, which no encoder of JavaScript writes: a map of one member is put together by hand.
    const owners = ['shop/import', 'shop/nightly'].map((name, i) => [
      ...encode([i === 0 ? 'batch/v1.Job' : 'batch/v1.CronJob', name]),
      ...encode({ 77: [{ Finished: [0, 4] }] }),
    ]);
    const head = makeSimkubeTrace([event(0, [liveJob('import'), cron])], { version: 2 });
    const bytes = [0x80 + 5, ...head.subarray(1), ...encode('pod_lifecycles'), 0x82, ...owners.flat()];
    const earlier = await read(Uint8Array.from(bytes));
    expect(earlier.changes.map(({ object }) => durationIn(object))).toEqual(['4000ms', '4000ms']);
  });

  it('plays pods without owners once, without their nodes, and takes no end of theirs for a change', async () => {
    const pods = await read(
      makeSimkubeTrace([event(0, [livePod('a')]), event(1, [livePod('a', 'n')]), event(5, [], [livePod('a', 'n')])]),
    );
    expect(shown(pods)).toEqual(['0 apply a', '5000 delete a']);
    const late = await read(makeSimkubeTrace([event(0, [livePod('a', 'n')])]));
    expect(JSON.stringify(late.changes)).not.toContain('nodeName');
  });

  it('names what is left out once, and does not delete it', async () => {
    const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'import', controller: true };
    const crd = { ...liveJob('v'), apiVersion: 'batch.volcano.sh/v1alpha1' };
    const done = { ...liveJob('done'), status: { conditions: [{ type: 'Complete', status: 'True' }] } };
    const out = [livePod('import-x', undefined, owner), crd, { ...crd, kind: 'ConfigMap', apiVersion: 'v1' }, done];
    const bytes = makeSimkubeTrace([event(0, [liveJob('import'), ...out]), event(9, [crd], [...out, livePod('b')])]);
    const { changes, warnings } = await read(bytes);
    expect(changes.map(({ object }) => object.metadata?.name)).toEqual(['import']);
    expect(warnings).toEqual([
      't.sktrace: left out 3 objects of 2 kinds: 2 Job of batch.volcano.sh/v1alpha1, 1 ConfigMap of v1',
      't.sktrace: left out 1 object that controllers make again',
      't.sktrace: left out 1 object that had finished (pods and Jobs)',
    ]);
    expect(shown(await read(bytes, { expands: false }))).toContain('0 apply import-x');
    await expect(read(bytes, { isStrict: true })).rejects.toThrow(
      't.sktrace: events[0].applied_objs[2]: unknown kind Job of batch.volcano.sh/v1alpha1',
    );
  });

  it('shows names of kinds on one line', async () => {
    const odd = { ...liveJob('v'), kind: 'A\nwarning: B', apiVersion: 'x'.repeat(500) };
    const { warnings } = await read(makeSimkubeTrace([event(0, [odd])]));
    expect(warnings).toEqual([`t.sktrace: left out 1 object of 1 kind: 1 "A\\nwarning: B" of "${'x'.repeat(80)}…"`]);
  });

  it.each([
    ['version 1', encode([{}, [], {}, {}]), 'has version 1: of the traces of SimKube, versions 2 and 3 are read'],
    ['another version', makeSimkubeTrace(EVENTS, { version: 4 }), 'has version 4: '],
    ['no version', encode({ events: [] }), 'has no version: '],
    ['no events', makeSimkubeTrace([]), 'events: must hold at least one item'],
    ['events of another type', makeSimkubeTrace([], { events: 3 }), 'events: must be a list, not the number 3'],
    ['a time that is none', makeSimkubeTrace([{ ...EVENTS[0], ts: 'x' }]), 'events[0].ts: must be an integer'],
    ['times that go back', makeSimkubeTrace([event(1, []), event(0, [])]), 'events[1].ts: is before that of events[0]'],
    ['no lists', makeSimkubeTrace([{ ts: 1, applied_objs: [] }]), 'events[0].deleted_objs: is required'],
    ['no objects', makeSimkubeTrace([event(0, [[]])]), 'events[0].applied_objs[0]: must be an object, not a list'],
    [
      'objects without names',
      makeSimkubeTrace([event(0, [], [{ apiVersion: 'v1', kind: 'Pod', metadata: {} }])]),
      'events[0].deleted_objs[0].metadata.name: is required',
    ],
    [
      'objects with wrong annotations',
      makeSimkubeTrace([event(0, [{ ...livePod('a'), metadata: { name: 'a', annotations: { 'berth.dev/x': '1' } } }])]),
      'events[0].applied_objs[0]: Pod default/a: metadata.annotations',
    ],
    ['an index of another type', makeSimkubeTrace(EVENTS, { index: [] }), 'index: must be a map, not a list'],
    [
      'an index without times',
      makeSimkubeTrace(EVENTS, { index: { 'v1.Pod': { 'a/b': { x: [] } } } }),
      'index["v1.Pod"]["a/b"]: has the key "x", which is no time',
    ],
    [
      'lifecycles that go back',
      makeSimkubeTrace(EVENTS, { index: { 'v1.Pod': { 'a/b': { 1: [{ lifecycle: { Finished: [2, 1] } }] } } } }),
      'index["v1.Pod"]["a/b"].1[0]: Finished must be two times in order',
    ],
    ['data that are cut off', makeSimkubeTrace(EVENTS).subarray(0, 300), 'is cut off: byte 300 is not the last one'],
    ['compressed data that are cut off', gzipSync(makeSimkubeTrace(EVENTS)).subarray(0, 120), 'damaged gzip data'],
    ['a key that is not allowed', Uint8Array.of(0x81, 0xa9, ...Buffer.from('__proto__'), 1), 'is no MessagePack: '],
    ['a list of four thousand million', Uint8Array.of(0xdd, 0xff, 0xff, 0xff, 0xff), 'is cut off'],
  ])('refuses %s in one line', async (_, bytes, message) => {
    const error: unknown = await read(bytes).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(`t.sktrace: ${message}`);
    expect(String(error)).not.toContain('\n');
  });

  it('refuses a small file that is large when it is decompressed', async () => {
    const bytes = gzipSync(new Uint8Array(257 * 2 ** 20).fill(0x91), { level: 1 });
    await expect(read(bytes)).rejects.toThrow('t.sktrace: has more than 256.0 MiB');
  });
});
