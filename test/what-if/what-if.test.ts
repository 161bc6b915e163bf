import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Node } from '../../src/api/node.ts';
import { podKey } from '../../src/api/object-name.ts';
import type { Pod } from '../../src/api/pod.ts';
import type { PodDisruptionBudget } from '../../src/api/pod-disruption-budget.ts';
import { Scheduler } from '../../src/core/scheduler.ts';
import type { PodFate } from '../../src/what-if/fate.ts';
import { Trial } from '../../src/what-if/trial.ts';
import { type Answer, answer, type Question } from '../../src/what-if/what-if.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const NOTHING: Question = { lose: [], drain: [], more: [], shrink: undefined, search: undefined };

interface OwnedOptions {
  readonly node?: string;
  readonly priority?: number;
  readonly kind?: string | null;
}

/** A pod of a ReplicaSet, or of another controller; `null`: of none. */
function owned(name: string, cpu: string, options: OwnedOptions = {}): Pod {
  const { node, priority = 0, kind = 'ReplicaSet' } = options;
  const pod = makePod(name, { requests: { cpu }, ...(node !== undefined && { nodeName: node }) });
  const owner = { apiVersion: 'apps/v1', kind: kind ?? '', name: 'web', uid: 'web', controller: true };
  const metadata = { ...pod.metadata, labels: { app: 'web' }, ...(kind !== null && { ownerReferences: [owner] }) };
  return { ...pod, metadata, spec: { ...(pod.spec ?? { containers: [] }), priority } };
}

interface Given {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly budgets?: readonly PodDisruptionBudget[];
  readonly replacesBare?: boolean;
}

async function ask({ nodes, pods, budgets = [], replacesBare = false }: Given, question: Partial<Question>) {
  const scheduler = new Scheduler();
  for (const node of nodes) scheduler.addNode(node);
  const pending = pods.filter(({ spec }) => !spec?.nodeName);
  for (const pod of pods) if (!pending.includes(pod)) scheduler.addPod(pod);
  const options = { pause: async () => {}, replacesBare };
  const result = await answer({ scheduler, pending, budgets }, { ...NOTHING, ...question }, options);
  return { result, scheduler, fates: fatesOf(result) };
}

function fatesOf({ groups }: Answer): Record<string, Pick<PodFate, 'outcome' | 'from' | 'to' | 'reason'>> {
  return Object.fromEntries(
    groups.flatMap(({ outcome, reason, pods }) =>
      pods.map(({ pod, from, to }) => [pod.replace('default/', ''), { outcome, from, to, reason }]),
    ),
  );
}

const nodes = (count: number, cpu = 4) => Array.from({ length: count }, (_, i) => makeNode(`n${i}`, { cpu }));

describe('losing nodes', () => {
  it('says of every pod what becomes of it', async () => {
    const pods = [
      owned('moves', '2', { node: 'n0' }),
      owned('large', '4', { node: 'n0' }),
      owned('bare', '1m', { node: 'n0', kind: null }),
      owned('daemon', '1m', { node: 'n0', kind: 'DaemonSet' }),
      owned('static', '1m', { node: 'n0', kind: 'Node' }),
      owned('elsewhere', '1', { node: 'n1' }),
      owned('waits', '9'),
    ];
    const { result, fates } = await ask({ nodes: nodes(2, 6), pods }, { lose: ['n0'] });
    expect(fates).toEqual({
      moves: { outcome: 'moved', from: 'n0', to: 'n1', reason: '' },
      large: { outcome: 'pending', from: 'n0', to: null, reason: '1 Insufficient cpu' },
      bare: { outcome: 'lost', from: 'n0', to: null, reason: 'no controller makes it again' },
      daemon: { outcome: 'withNode', from: 'n0', to: null, reason: 'belongs to its node' },
      static: { outcome: 'withNode', from: 'n0', to: null, reason: 'belongs to its node' },
    });
    expect(result).toMatchObject({ notRunning: 2, nodes: { before: 2, after: 1 } });
    expect(result.pods).toEqual({ placedBefore: 6, pendingBefore: 1, placedAfter: 2, pendingAfter: 2 });
  });

  it('lets important pods preempt, whose victims wait in their turn', async () => {
    const pods = [
      owned('important', '4', { node: 'n0', priority: 10 }),
      owned('victim', '3', { node: 'n1' }),
      owned('bare', '1', { node: 'n1', kind: null }),
      owned('small', '1', { node: 'n2', priority: 10 }),
    ];
    const { result, fates } = await ask({ nodes: nodes(3), pods }, { lose: ['n0'] });
    expect(fates).toMatchObject({
      important: { outcome: 'moved', to: 'n1' },
      victim: { outcome: 'moved', from: 'n1', to: 'n2' },
      bare: { outcome: 'lost', reason: 'no controller makes it again' },
    });
    const preempted = result.groups.flatMap(({ pods: members }) => members.filter((each) => each.preemptedBy));
    expect(preempted.map(({ pod, preemptedBy }) => [pod, preemptedBy])).toEqual([
      ['default/bare', 'default/important'],
      ['default/victim', 'default/important'],
    ]);
  });

  it('brings pods without a controller back when told so', async () => {
    const pods = [owned('bare', '1', { node: 'n0', kind: null })];
    const { fates } = await ask({ nodes: nodes(2), pods, replacesBare: true }, { lose: ['n0'] });
    expect(fates).toMatchObject({ bare: { outcome: 'moved', to: 'n1' } });
  });
});

describe('draining nodes', () => {
  const budget = (minAvailable: number): PodDisruptionBudget => ({
    metadata: { name: 'web', namespace: 'default' },
    spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
  });
  const three = ['a', 'b', 'c'].map((name) => owned(name, '1', { node: 'n0' }));

  it('evicts one after the other, since each is healthy again elsewhere', async () => {
    const { result, fates } = await ask({ nodes: nodes(2), pods: three, budgets: [budget(2)] }, { drain: ['n0'] });
    expect(result.drained).toEqual([{ node: 'n0', evicted: 3, blocked: 0 }]);
    expect(Object.values(fates).map(({ to }) => to)).toEqual(['n1', 'n1', 'n1']);
  });

  it('is refused by a budget that allows nothing, or nothing more', async () => {
    const none = await ask({ nodes: nodes(2), pods: three, budgets: [budget(3)] }, { drain: ['n0'] });
    expect(none.result).toMatchObject({ notRunning: 3, drained: [{ node: 'n0', evicted: 0, blocked: 3 }] });
    const reason = 'PodDisruptionBudget default/web needs 3 healthy pods and has 3';
    expect(none.fates['a']).toEqual({ outcome: 'blocked', from: 'n0', to: 'n0', reason });
    // The second node takes one pod; the next one finds no room, so that the budget is used up.
    const small = nodes(1).concat(nodes(2, 1).slice(1));
    const one = await ask({ nodes: small, pods: three, budgets: [budget(2)] }, { drain: ['n0'] });
    expect(one.result.drained).toEqual([{ node: 'n0', evicted: 2, blocked: 1 }]);
    expect(one.fates).toMatchObject({ a: { outcome: 'moved' }, b: { outcome: 'pending' }, c: { outcome: 'blocked' } });
  });

  it('cordons all nodes first, keeps pods of DaemonSets, and refuses pods without a controller', async () => {
    const pods = [owned('a', '1', { node: 'n0' }), owned('d', '1', { node: 'n0', kind: 'DaemonSet' })];
    const bare = owned('bare', '1', { node: 'n1', kind: null });
    const { fates, scheduler } = await ask({ nodes: nodes(3), pods: [...pods, bare] }, { drain: ['n0', 'n1'] });
    expect(fates).toMatchObject({ a: { to: 'n2' }, bare: { outcome: 'blocked' } });
    expect(scheduler.pod('default', 'd')?.node).toBe('n0');
  });
});

describe('how many', () => {
  it('nodes can go', async () => {
    const pods = [0, 1, 2, 3].map((i) => owned(`p${i}`, '1', { node: `n${i}` }));
    const { result } = await ask({ nodes: nodes(5), pods }, { search: { kind: 'removeNodes' } });
    expect(result.removal).toMatchObject({ bound: 4, pendingAtOnce: 0 });
    expect(result.removal?.removed).toHaveLength(4);
    expect(result.removal?.removed[0]).toBe('n4');
  });

  it('nodes can go when pods, budgets and control planes hold some', async () => {
    const pods = [
      owned('bare', '1', { node: 'n0', kind: null }),
      owned('a', '1', { node: 'n1' }),
      owned('b', '3', { node: 'n2' }),
    ];
    const control = makeNode('control', { labels: { 'node-role.kubernetes.io/control-plane': '' } });
    const { result } = await ask({ nodes: [...nodes(3), control], pods }, { search: { kind: 'removeNodes' } });
    const reasons = result.removal?.kept ?? [];
    const kept = new Map(reasons.flatMap(({ reason, nodes: names }) => names.map((name) => [name, reason] as const)));
    expect(kept.get('n0')).toBe('it has pods that no controller makes again');
    expect(kept.get('control')).toBe('it belongs to the control plane');
    const budget = { metadata: { name: 'b', namespace: 'default' }, spec: { maxUnavailable: 0, selector: {} } };
    const covered = { nodes: nodes(3), pods: pods.slice(1), budgets: [budget] };
    const held = await ask(covered, { search: { kind: 'removeNodes' } });
    expect(held.result.removal?.removed).toEqual(['n0']);
    expect(held.result.removal?.kept[0]?.reason).toMatch(/^PodDisruptionBudget default\/b needs 2 healthy pods/);
  });

  it('nodes must come', async () => {
    const pods = Array.from({ length: 7 }, (_, i) => owned(`p${i}`, '3'));
    const search = { kind: 'addNodes', shapes: ['cpu=8,memory=64Gi'], daemonPods: () => [] } as const;
    const { result } = await ask({ nodes: nodes(1), pods }, { search });
    expect(result.addition?.count).toBe(3);
    expect(result).toMatchObject({ notRunning: 0, counts: { placed: 6 }, nodes: { before: 1, after: 4 } });
    const larger = await ask({ nodes: nodes(1), pods: [...pods, owned('huge', '9')] }, { search });
    expect(larger.result.addition?.count).toBe(3);
    expect(larger.result.notRunning).toBe(1);
  });

  it('pods fit', async () => {
    const search = { kind: 'fit', pod: makePod('more', { requests: { cpu: '3' } }) } as const;
    const { result } = await ask({ nodes: nodes(3, 7), pods: [owned('a', '2', { node: 'n0' })] }, { search });
    expect(result.fit).toMatchObject({ count: 5, reason: '3 Insufficient cpu' });
    expect(result.fit?.nodes).toEqual(expect.arrayContaining([{ node: 'n0', pods: 1 }]));
  });
});

/** Clusters of cpu alone, in which every answer can be checked by counting. */
const given = fc.record({
  sizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }),
  pods: fc.array(fc.record({ cpu: fc.integer({ min: 1, max: 6 }), node: fc.nat(5), priority: fc.nat(2) }), {
    maxLength: 14,
  }),
});

describe('any cluster', () => {
  const clusterOf = ({ sizes, pods }: { sizes: number[]; pods: { cpu: number; node: number; priority: number }[] }) => {
    const free = [...sizes];
    return {
      nodes: sizes.map((cpu, i) => makeNode(`n${i}`, { cpu })),
      pods: pods.map(({ cpu, node, priority }, i) => {
        const fits = (free[node] ?? 0) >= cpu;
        if (fits) free[node] = (free[node] as number) - cpu;
        return owned(`p${i}`, String(cpu), { ...(fits && { node: `n${node}` }), priority });
      }),
    };
  };
  const checkPlaces = (scheduler: Scheduler, result: Answer, gone: readonly string[]) => {
    for (const { name, usage } of scheduler.nodes()) {
      expect(gone).not.toContain(name);
      expect(Number(usage['cpu']?.free)).toBeGreaterThanOrEqual(0);
    }
    for (const { outcome, pods } of result.groups) {
      for (const { pod, to } of pods) {
        const [namespace = '', name = ''] = pod.split('/');
        expect(scheduler.pod(namespace, name)?.node ?? null).toBe(outcome === 'pending' ? null : to);
      }
    }
  };

  it('keeps every pod in one place, and over-commits no node, when a node is lost', async () => {
    await fc.assert(
      fc.asyncProperty(given, fc.nat(5), async (sketch, index) => {
        const cluster = clusterOf(sketch);
        const lost = `n${index % sketch.sizes.length}`;
        const { result, scheduler } = await ask(cluster, { lose: [lost] });
        checkPlaces(scheduler, result, [lost]);
        const { placedAfter, pendingAfter } = result.pods;
        expect(placedAfter + pendingAfter).toBe(cluster.pods.length);
      }),
      { numRuns: 60 },
    );
  });

  it('has room for all pods on the nodes that remain, and for no more than fit', async () => {
    await fc.assert(
      fc.asyncProperty(given, async (sketch) => {
        const cluster = clusterOf(sketch);
        const { result } = await ask(cluster, { search: { kind: 'removeNodes' } });
        const { removed = [], bound = 0 } = result.removal ?? {};
        expect(removed.length).toBeLessThanOrEqual(bound);
        const places = new Map(cluster.pods.map((pod) => [podKey(pod), pod]));
        for (const { pods } of result.groups) for (const { to } of pods) expect(removed).not.toContain(to);
        expect(places.size).toBe(cluster.pods.length);
        const pod = makePod('more', { requests: { cpu: '2' } });
        const placed = cluster.pods.filter(({ spec }) => spec?.nodeName);
        const more = await ask({ ...cluster, pods: placed }, { search: { kind: 'fit', pod } });
        const free = sketch.sizes.map((cpu, i) => {
          const own = placed.flatMap(({ spec }) => (spec?.nodeName === `n${i}` ? spec.containers : []));
          return cpu - own.reduce((sum, each) => sum + Number(each?.resources?.requests?.['cpu']), 0);
        });
        expect(more.result.fit?.count).toBe(free.reduce((sum, cpu) => sum + Math.floor(cpu / 2), 0));
      }),
      { numRuns: 40 },
    );
  });
});

describe('many pods that are placed together', () => {
  it('get the nodes, and the reasons, that they would get one by one', async () => {
    const shape = fc.record({
      cpu: fc.constantFrom('1', '2', '3', '9'),
      priority: fc.constantFrom(0, 5),
      spreads: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(shape, { maxLength: 40 }), async (shapes) => {
        const nodes = ['a', 'b', 'c', 'd'].map((name) => makeNode(name, { allocatable: { cpu: '8', pods: '12' } }));
        const pods = shapes.map(({ cpu, priority, spreads }, i): Pod => {
          const { metadata, spec } = owned(`p${i}`, cpu, { priority });
          const constraint = {
            ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' as const },
            labelSelector: { matchLabels: { app: 'web' } },
          };
          const more = spreads ? { topologySpreadConstraints: [constraint] } : {};
          return { metadata, spec: { containers: [], ...spec, ...more, preemptionPolicy: 'Never' } };
        });
        const scheduler = new Scheduler();
        for (const node of nodes) scheduler.addNode(node);
        const together = new Scheduler();
        for (const node of nodes) together.addNode(node);
        const trial = new Trial(together, pods, { pause: async () => {}, replacesBare: false });
        await trial.settleNew();
        const ordered = pods.toSorted((a, b) => (b.spec?.priority ?? 0) - (a.spec?.priority ?? 0));
        const alone = ordered.map((pod) => [podKey(pod), scheduler.schedule(pod).status] as const);
        const nodeOf = (each: Scheduler) =>
          Object.fromEntries(each.pods().flatMap(({ pod, node }) => (node === null ? [] : [[podKey(pod), node]])));
        expect(nodeOf(together)).toEqual(nodeOf(scheduler));
        const waiting = alone.filter(([, status]) => status !== 'scheduled').map(([key]) => key);
        expect(trial.waiting.map(podKey).sort()).toEqual(waiting.sort());
      }),
      { numRuns: 60 },
    );
  });
});
