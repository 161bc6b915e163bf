import { describe, expect, test } from 'vitest';
import { type Pod, Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const NODES = 100;
const OBJECTS = 40;

/** Apps that come and go: the pods of each keep away from their like. */
function liveThrough(scheduler: Scheduler, apps: number): number[] {
  const bytes: number[] = [];
  for (let app = 0; app < apps; app++) {
    const labels = { app: `app-${app}` };
    const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } };
    const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
    const pods = ['a', 'b'].map((name) =>
      podOf(`${name}-${app}`, labels, makePod('', { requests: { cpu: `${app + 1}m` }, spec: { affinity } })),
    );
    const nodes = [...scheduler.scheduleBatch(pods)].map((result) => result.status === 'scheduled' && result.node);
    expect(new Set(nodes).size).toBe(2);
    for (const { metadata } of pods) scheduler.removePod('default', metadata?.name ?? '');
    bytes.push(scheduler.sharedMemoryBytes);
  }
  return bytes;
}

function podOf(name: string, labels: Record<string, string>, { spec }: Pod): Pod {
  return { metadata: { name, namespace: 'default', labels }, spec: spec ?? {} };
}

function loaded(limits?: { objects: number; bytes: number }): Scheduler {
  const scheduler = new Scheduler(limits === undefined ? {} : { limits });
  for (let i = 0; i < NODES; i++) {
    scheduler.addNode(makeNode(`n${i}`, { labels: { 'kubernetes.io/hostname': `n${i}` } }));
  }
  return scheduler;
}

describe('what is kept for signatures of pods that are gone', () => {
  test('is bounded in number', () => {
    const bytes = liveThrough(loaded({ objects: OBJECTS, bytes: Number.POSITIVE_INFINITY }), 200);
    expect(Math.max(...bytes.slice(OBJECTS))).toBeLessThanOrEqual(Math.max(...bytes.slice(0, OBJECTS)));
  });

  test('is bounded in bytes', () => {
    const unbounded = liveThrough(loaded(), 200);
    const bytes = (unbounded.at(-1) ?? 0) - (unbounded[0] ?? 0);
    const bounded = liveThrough(loaded({ objects: Number.POSITIVE_INFINITY, bytes: Math.floor(bytes / 10) }), 200);
    expect(Math.max(...bounded)).toBeLessThan((unbounded.at(-1) ?? 0) - bytes / 2);
  });
});
