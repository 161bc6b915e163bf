import { expect, test } from 'vitest';
import type { PodSpec } from '../../../src/api/pod.ts';
import { type Pod, Scheduler, type SchedulerOptions } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';

const WAYS: readonly SchedulerOptions[] = [
  { engine: 'reference' },
  ...(['scalar', 'simd'] as const).flatMap((engine) => [true, false].map((index) => ({ engine, index }))),
];

const plain: PodSpec = { containers: [{ name: 'c', resources: { requests: { cpu: '100m' } } }] };
/** Shares its node with nobody of its namespace. */
const alone: PodSpec = {
  ...plain,
  priority: 5,
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } },
      ],
    },
  },
};

function podIn(namespace: string, name: string, spec: PodSpec): Pod {
  return { metadata: { name, namespace, labels: { app: 'web' } }, spec };
}

test.each(WAYS)('what holds beside a nominated pod for one namespace does not hold for another: %o', (options) => {
  const scheduler = new Scheduler({ ...options, tieBreak: 'first' });
  for (const name of ['n0', 'n1', 'n2']) {
    scheduler.addNode(makeNode(name, { labels: { 'kubernetes.io/hostname': name }, pods: 4 }));
  }
  const placed = ['a', 'b', 'c'].map((name) => scheduler.schedule(podIn('default', name, plain)));
  expect(placed).toMatchObject([{ node: 'n0' }, { node: 'n1' }, { node: 'n2' }]);
  scheduler.removePod('default', 'c');
  expect(scheduler.schedule(podIn('default', 'd', alone))).toMatchObject({ node: 'n2' });
  expect(scheduler.schedule(podIn('default', 'e', alone))).toMatchObject({
    nominatedNode: 'n0',
    victims: ['default/a'],
  });
  // In another namespace there is no neighbour to keep away from.
  expect(scheduler.explain(podIn('other', 'f', plain)).feasible).toEqual(['n0', 'n1', 'n2']);
  expect(scheduler.schedule(podIn('default', 'g', plain))).toMatchObject({ node: 'n1', feasibleNodes: 1 });
});
