import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { Plugin } from '../../src/framework/plugin.ts';
import { pluginsOf } from '../../src/plugins/make-plugins.ts';
import type { SchedulerApi } from '../../src/scheduler/scheduler-api.ts';
import { storeApi } from '../../src/scheduler/store-api.ts';
import type { StoreSchedulerModules, StoreSchedulerOptions } from '../../src/scheduler/store-scheduler.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { runs } from '../builders/runs.ts';
import { SchedulerRig } from './scheduler-rig.ts';

/** A plugin that has nothing to do, and keeps every pod from being plain. */
const BYSTANDER: Plugin & { postBind(): void } = { name: 'Bystander', postBind: () => {} };

const withBystander: StoreSchedulerModules['makePlugins'] = (profile, cluster, handle) => {
  const plugins = pluginsOf(profile, cluster, handle);
  return { ...plugins, byPoint: { ...plugins.byPoint, postBind: [BYSTANDER] } };
};

type Step =
  | { readonly op: 'pods'; readonly count: number; readonly cpu: number; readonly priority: 'low' | 'high' | undefined }
  | { readonly op: 'spread'; readonly count: number }
  | { readonly op: 'delete'; readonly at: number }
  | { readonly op: 'node'; readonly cpu: number }
  | { readonly op: 'run'; readonly millis: number };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({
      op: fc.constant('pods' as const),
      count: fc.integer({ min: 1, max: 12 }),
      cpu: fc.integer({ min: 1, max: 5 }),
      priority: fc.constantFrom('low' as const, 'high' as const, undefined),
    }),
    fc.record({ op: fc.constant('spread' as const), count: fc.integer({ min: 1, max: 6 }) }),
    fc.record({ op: fc.constant('delete' as const), at: fc.nat(30) }),
    fc.record({ op: fc.constant('node' as const), cpu: fc.integer({ min: 1, max: 8 }) }),
    fc.record({ op: fc.constant('run' as const), millis: fc.integer({ min: 0, max: 4000 }) }),
  ),
  { minLength: 3, maxLength: 18 },
);

/** A pod that was bound a moment ago, which no watch has shown yet, is preempted. */
const BOUND_AND_PREEMPTED: Step[] = [
  { op: 'pods', count: 10, cpu: 2, priority: 'high' },
  { op: 'run', millis: 0 },
  { op: 'node', cpu: 2 },
  { op: 'pods', count: 1, cpu: 1, priority: 'low' },
];

/** Every call of the API and every event, in order. */
class Life {
  readonly calls: string[] = [];
  readonly rig: SchedulerRig;
  #pods = 0;
  #nodes = 0;

  constructor(options: StoreSchedulerOptions, makePlugins?: StoreSchedulerModules['makePlugins']) {
    this.rig = new SchedulerRig(options, ({ store }) => ({
      api: this.#logged(storeApi(store)),
      ...(makePlugins && { makePlugins }),
    }));
    const { store } = this.rig;
    store.create('priorityclasses', { metadata: { name: 'low' }, value: -5 });
    store.create('priorityclasses', { metadata: { name: 'high' }, value: 5 });
    for (const cpu of [4, 6, 8]) this.#addNode(cpu);
  }

  play(step: Step): void {
    const { store } = this.rig;
    switch (step.op) {
      case 'pods':
        for (let i = 0; i < step.count; i++) this.#create(makePod('', { requests: { cpu: step.cpu } }), step.priority);
        return;
      case 'spread':
        for (let i = 0; i < step.count; i++) this.#create(spread(), undefined);
        return;
      case 'delete': {
        const pods = store.list('pods').items;
        const name = pods[step.at % Math.max(1, pods.length)]?.metadata?.name;
        if (name !== undefined) store.delete('pods', 'default', name, { gracePeriodSeconds: 0 });
        return;
      }
      case 'node':
        this.#addNode(step.cpu);
        return;
      case 'run':
        this.rig.runMillis(step.millis);
    }
  }

  get outcome(): unknown {
    const pods = this.rig.store.list('pods').items;
    return { calls: this.calls, events: this.rig.events, pods, reported: this.rig.reported };
  }

  #addNode(cpu: number): void {
    const name = `n${this.#nodes++}`;
    this.rig.store.create('nodes', makeNode(name, { cpu, labels: { 'kubernetes.io/hostname': name } }));
  }

  #create(pod: Pod, priorityClassName: string | undefined): void {
    const metadata = { ...pod.metadata, name: `p${this.#pods++}`, labels: { app: 'a' } };
    this.rig.store.create('pods', { ...pod, metadata, spec: { ...pod.spec, priorityClassName } });
  }

  #logged(api: SchedulerApi): SchedulerApi {
    return {
      ...api,
      bindPod: (pod, nodeName) => {
        this.calls.push(`bind ${pod.metadata?.name} to ${nodeName}`);
        return api.bindPod(pod, nodeName);
      },
      patchPodStatus: (namespace, name, patch) => {
        this.calls.push(`patch ${name} ${JSON.stringify(patch)}`);
        api.patchPodStatus(namespace, name, patch);
      },
      deletePod: (namespace, name) => {
        this.calls.push(`delete ${name}`);
        api.deletePod(namespace, name);
      },
    };
  }
}

function spread(): Pod {
  const constraint = {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'a' } },
  };
  return makePod('', { requests: { cpu: 1 }, spec: { topologySpreadConstraints: [constraint] } });
}

describe('the short way and the long way', () => {
  it.each(['first', 'upstream', 'random'] as const)(
    'lead to the same calls in the same order, ties by %s',
    (tieBreak) => {
      fc.assert(
        fc.property(steps, (script) => {
          const lives = [
            new Life({ tieBreak }),
            new Life({ tieBreak, index: false }),
            new Life({ tieBreak }, withBystander),
            new Life({ tieBreak, engine: 'reference' }),
          ];
          for (const step of [...script, { op: 'run', millis: 30_000 } as const]) {
            for (const life of lives) life.play(step);
          }
          const [first, ...others] = lives.map(({ outcome }) => outcome);
          for (const other of others) expect(other).toEqual(first);
        }),
        { numRuns: runs(10), examples: [[BOUND_AND_PREEMPTED]] },
      );
    },
  );
});
