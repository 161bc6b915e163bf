import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import type { PodDisruptionBudget } from '../../../src/api/pod-disruption-budget.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { differences } from '../../parity/differences.ts';

const numRuns = runs(40);

const NODES = ['n0', 'n1', 'n2', 'n3'];
const ZONE = 'topology.kubernetes.io/zone';
const HOSTNAME = 'kubernetes.io/hostname';
const labels = fc.constantFrom<Record<string, string>>({}, { app: 'web' }, { app: 'db' }, { app: 'web', tier: 'gold' });

const node = fc
  .record({ cpu: fc.nat(8), memory: fc.nat(8), gpus: fc.nat(2), pods: fc.constantFrom(2, 4, 110), zone: fc.nat(1) })
  .map(({ cpu, memory, gpus, pods, zone }) =>
    makeNode('', { cpu, memory: `${memory}Gi`, pods, zone: `z${zone}`, allocatable: { 'example.com/gpu': gpus } }),
  );

const shape = fc.record({
  cpu: fc.constantFrom('0', '500m', '1', '3'),
  memory: fc.constantFrom('0', '1Gi', '2Gi'),
  gpus: fc.constantFrom(0, 0, 0, 1),
  priority: fc.constantFrom(undefined, -5, 1, 1, 7, 100, 2_000_000_000),
  policy: fc.constantFrom(undefined, undefined, undefined, 'PreemptLowerPriority', 'Never'),
  hostPort: fc.constantFrom(undefined, undefined, undefined, 80),
  antiAffine: fc.constantFrom(false, false, false, true),
  affine: fc.constantFrom(false, false, false, true),
  /** The topology over which pods of `web` are spread. */
  spread: fc.constantFrom(undefined, undefined, undefined, ZONE, HOSTNAME),
  labels,
  startDay: fc.constantFrom(undefined, 1, 1, 2),
  terminating: fc.constantFrom(false, false, false, true),
  nominated: fc.constantFrom(undefined, undefined, undefined, ...NODES, 'elsewhere'),
});
type Shape = typeof shape extends fc.Arbitrary<infer S> ? S : never;

const budget = fc.record({ selector: labels, allowed: fc.nat(2) });
const podName = fc.constantFrom(...Array.from({ length: 16 }, (_, i) => `p${i}`));
const nodeName = fc.constantFrom(...NODES);

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('run' as const), pod: podName, shape, on: nodeName }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), pod: podName, shape }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('schedule' as const), pod: podName, shape }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), pod: podName }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('evict' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('update' as const), on: nodeName, node }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('budget' as const), name: fc.constantFrom('a', 'b'), budget }) },
);
type Event = typeof event extends fc.Arbitrary<infer E> ? E : never;

const life = fc.record({
  nodes: fc.array(node, { minLength: 1, maxLength: NODES.length, size: 'max' }),
  events: fc.array(event, { maxLength: 40, size: 'max' }),
  probes: fc.array(shape, { minLength: 2, maxLength: 4 }),
});

function topologyOf({ antiAffine, affine, spread }: Shape): Partial<PodSpec> {
  const required = (app: string) => ({
    requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: ZONE, labelSelector: { matchLabels: { app } } }],
  });
  return {
    affinity: {
      ...(antiAffine && { podAntiAffinity: required('db') }),
      ...(affine && { podAffinity: required('web') }),
    },
    ...(spread !== undefined && {
      topologySpreadConstraints: [
        {
          ...{ maxSkew: 1, topologyKey: spread, whenUnsatisfiable: 'DoNotSchedule' },
          labelSelector: { matchLabels: { app: 'web' } },
        },
      ],
    }),
  };
}

function podOf(name: string, shape: Shape, on?: string): Pod {
  const { cpu, memory, gpus, priority, policy, hostPort, startDay, terminating, nominated } = shape;
  const made = makePod(name, {
    requests: { cpu, memory, ...(gpus > 0 ? { 'example.com/gpu': gpus } : {}) },
    ports: hostPort === undefined ? [] : [{ containerPort: 80, hostPort }],
  });
  return {
    metadata: {
      ...made.metadata,
      labels: shape.labels,
      deletionTimestamp: terminating ? '2026-02-01T00:00:00Z' : undefined,
    },
    spec: {
      ...made.spec,
      nodeName: on,
      priority,
      preemptionPolicy: policy,
      ...topologyOf(shape),
    },
    status: {
      startTime: startDay === undefined ? undefined : `2026-01-0${startDay}T00:00:00Z`,
      nominatedNodeName: on === undefined ? nominated : undefined,
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'PreemptionByScheduler' }],
    },
  };
}

function budgetOf(name: string, { selector, allowed }: typeof budget extends fc.Arbitrary<infer B> ? B : never) {
  const made: PodDisruptionBudget = {
    metadata: { name },
    spec: { selector: { matchLabels: selector } },
    status: { disruptionsAllowed: allowed },
  };
  return made;
}

/** One scheduler with what a caller keeps beside it: the victims that it has still to remove. */
class Life {
  readonly scheduler: Scheduler;
  #victims: string[] = [];

  constructor(engine: EngineName, nodes: readonly Node[]) {
    this.scheduler = new Scheduler({ engine });
    for (const [i, node] of nodes.entries()) this.scheduler.addNode(this.#named(node, `n${i}`));
  }

  play(event: Event): unknown {
    try {
      return this.#perform(event);
    } catch (error) {
      if (error instanceof Error && 'code' in error) return error.message;
      throw error;
    }
  }

  #perform(event: Event): unknown {
    const { scheduler } = this;
    switch (event.do) {
      case 'run':
        return scheduler.updatePod(podOf(event.pod, event.shape, event.on));
      case 'wait':
        return scheduler.updatePod(podOf(event.pod, event.shape));
      case 'remove':
        return scheduler.removePod('default', event.pod);
      case 'update':
        return scheduler.updateNode(this.#named(event.node, event.on));
      case 'budget':
        return scheduler.setObject('PodDisruptionBudget', budgetOf(event.name, event.budget));
      case 'evict': {
        const victims = this.#victims;
        this.#victims = [];
        for (const victim of victims) scheduler.removePod('default', victim.slice('default/'.length));
        return victims;
      }
      case 'schedule': {
        const result = scheduler.schedule(podOf(event.pod, event.shape));
        if (result.status === 'unschedulable') this.#victims = [...(result.victims ?? [])];
        return result;
      }
    }
  }

  #named(node: Node, name: string): Node {
    return { ...node, metadata: { ...node.metadata, name, labels: { ...node.metadata?.labels, [HOSTNAME]: name } } };
  }
}

test('all engines preempt alike, and leave the same room for nominated pods, after every step', () => {
  fc.assert(
    fc.property(life, ({ nodes, events, probes }) => {
      const reference = new Life('reference', nodes);
      const others = (['scalar', 'simd'] as const).map((engine) => new Life(engine, nodes));
      for (const [step, event] of events.entries()) {
        const answer = reference.play(event);
        const explained = probes.map((probe) => reference.scheduler.explain(podOf('probe', probe)));
        for (const other of others) {
          const label = `${other.scheduler.engine}, step ${step}, ${event.do}`;
          const got = [other.play(event), probes.map((probe) => other.scheduler.explain(podOf('probe', probe)))];
          expect(differences('', [answer, explained], got).slice(0, 3), label).toEqual([]);
        }
      }
    }),
    { numRuns },
  );
});
