import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { PodMap } from '../../../src/framework/cluster/pod-map.ts';
import { PodInfo, podRequirements } from '../../../src/framework/pod-info.ts';
import { makePod } from '../../builders/make-pod.ts';

const requirements = podRequirements(makePod('any'));
const podOf = (namespace: string, name: string) => new PodInfo({ metadata: { namespace, name } }, requirements, '');

type Command = readonly ['add' | 'replace' | 'delete' | 'get' | 'reserve', namespace: string, name: string];

/** The names are few, so that pods come and go; some pairs are ambiguous when namespace and name are joined. */
const name = fc.oneof(fc.constantFrom('a', 'b', 'ab', 'a/b', '', 'ä', '\u{1f600}'), fc.string({ maxLength: 3 }));
const namespace = fc.constantFrom('default', 'a', 'b', 'a/b', 'ab');
const command: fc.Arbitrary<Command> = fc.tuple(
  fc.constantFrom('add', 'add', 'add', 'replace', 'delete', 'get', 'reserve'),
  namespace,
  name,
);

/** A PodMap, and a `Map` as its model. */
function check(commands: readonly Command[]): void {
  const map = new PodMap();
  const model = new Map<string, PodInfo>();
  for (const [what, ns, podName] of commands) {
    const key = JSON.stringify([ns, podName]);
    const pod = podOf(ns, podName);
    switch (what) {
      case 'add':
        expect(map.add(pod)).toBe(!model.has(key));
        if (!model.has(key)) model.set(key, pod);
        if (model.get(key) === pod) expect(map.at(map.lastEntry)).toBe(pod);
        break;
      case 'replace':
        map.replace(pod);
        if (model.has(key)) model.set(key, pod);
        break;
      case 'delete':
        map.delete(pod);
        model.delete(key);
        break;
      case 'reserve':
        map.reserve(podName.length * 50);
        break;
      case 'get':
        break;
    }
    expect(map.get(ns, podName)).toBe(model.get(key));
  }
  for (const [key, pod] of model) expect(map.get(...(JSON.parse(key) as [string, string]))).toBe(pod);
}

test('holds what a Map with the key of both would hold', () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 300, size: 'max' }), (commands) => check(commands)),
    { numRuns: 200 },
  );
});

test('grows, forgets and grows again, with deleted places all over', () => {
  const map = new PodMap();
  const nameOf = (round: number, i: number): string => `pod-${round}-${i}`;
  // Each round is larger than the one before it, leaves every tenth pod, and finds the table full of deleted places.
  for (const [round, count] of [40, 100, 1000, 3000].entries()) {
    for (let i = 0; i < count; i++) expect(map.add(podOf('default', nameOf(round, i)))).toBe(true);
    for (let i = 0; i < count; i++) if (i % 10 > 0) map.delete(podOf('default', nameOf(round, i)));
    for (let i = 0; i < count; i++) {
      expect(map.get('default', nameOf(round, i))?.name).toBe(i % 10 > 0 ? undefined : nameOf(round, i));
    }
  }
  expect(map.get('default', nameOf(0, 30))?.name).toBe(nameOf(0, 30));
  expect(map.get('other', nameOf(0, 30))).toBe(undefined);
});

test('takes anything where it looks ahead, and holds the same after that', () => {
  const map = new PodMap();
  map.reserve(40_000);
  map.add(podOf('default', 'p'));
  const odd = [
    null,
    'p',
    7,
    {},
    { metadata: null },
    { metadata: { name: ['p'], namespace: 3 } },
    { metadata: { name: 'p' } },
  ];
  map.readAhead(odd as unknown as Pod[], 0, odd.length + 1);
  expect([...map.all()].map((pod) => pod.name)).toEqual(['p']);
  expect(map.add(podOf('default', 'p'))).toBe(false);
  expect(map.add(podOf('default', 'q'))).toBe(true);
});

test('one pod that comes and goes for ever needs no more room', () => {
  const map = new PodMap();
  for (let i = 0; i < 2000; i++) {
    expect(map.add(podOf('default', `p${i}`))).toBe(true);
    map.delete(podOf('default', `p${i}`));
  }
  expect(map.get('default', 'p1999')).toBe(undefined);
  expect(map.add(podOf('default', 'p1999'))).toBe(true);
});

test('gives a pod that comes and goes the place that it had', () => {
  const map = new PodMap();
  for (let i = 0; i < 100; i++) map.add(podOf('default', `other-${i}`));
  const pod = podOf('default', 'waiting');
  // More than all places, so that the table would be rebuilt if each time took one.
  for (let i = 0; i < 1000; i++) {
    map.add(pod);
    map.delete(pod);
    expect(map.usedPlaces).toBe(101);
  }
  expect([map.get('default', 'waiting'), map.get('default', 'other-7')?.name]).toEqual([undefined, 'other-7']);
});
