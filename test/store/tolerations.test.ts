import { expect, test } from 'vitest';
import type { Toleration } from '../../src/api/taints.ts';
import { FakeClock } from '../../src/lib/clock.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

function added(key: string): Toleration {
  return { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 };
}

test.each<[string, readonly Toleration[], readonly string[]]>([
  ['none', [], [NOT_READY, UNREACHABLE]],
  ['of something else', [{ key: 'gpu', operator: 'Exists' }], [NOT_READY, UNREACHABLE]],
  ['of one of them', [{ key: NOT_READY, operator: 'Exists', effect: 'NoExecute' }], [UNREACHABLE]],
  ['with another effect', [{ key: NOT_READY, operator: 'Exists', effect: 'NoSchedule' }], [NOT_READY, UNREACHABLE]],
  ['of everything', [{ operator: 'Exists' }], []],
])('a pod with tolerations %s gets those that it lacks', (_, tolerations, keys) => {
  const { store } = makeStore();
  const { spec } = store.create('pods', makePod('p', { tolerations }));
  expect(spec?.tolerations ?? []).toEqual([...tolerations, ...keys.map(added)]);
});

test('an update that leaves them out takes nothing away', () => {
  const { store } = makeStore();
  const { metadata, spec } = store.create('pods', makePod('p'));
  const updated = store.update('pods', { metadata: { ...metadata, labels: { a: 'b' } }, spec: makePod('p').spec });
  expect(updated.spec).toEqual(spec);
  expect(updated.metadata?.labels).toEqual({ a: 'b' });
});

test('unless the plugin is off', () => {
  const modules = { clock: new FakeClock(Date.UTC(2026, 0, 1)), names: new RandomNames(new Prng(1)) };
  const store = new Store(modules, { withoutDefaultTolerations: true });
  expect(store.create('pods', makePod('p')).spec?.tolerations).toBeUndefined();
});
