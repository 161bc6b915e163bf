import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TopologySpreadConstraint } from '../../../src/api/topology-spread.ts';
import { AffinityPlan } from '../../../src/engine/topology/affinity-plan.ts';
import { SpreadPlan } from '../../../src/engine/topology/spread-plan.ts';
import { TopologyPlan } from '../../../src/engine/topology/topology-plan.ts';
import { TopologyScratch } from '../../../src/engine/topology/topology-scratch.ts';
import type { Status } from '../../../src/framework/status.ts';
import type { Pod } from '../../../src/index.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { PodTopologySpread } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const labelSelector = { matchLabels: { app: 'web' } };
const evenly = (whenUnsatisfiable: string): TopologySpreadConstraint => {
  return { ...{ maxSkew: 1, topologyKey: 'zone', labelSelector }, whenUnsatisfiable };
};
const HARD = evenly('DoNotSchedule');
const SOFT = evenly('ScheduleAnyway');
const term = { topologyKey: 'rack', labelSelector };
const AWAY = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };

const web = (name: string, spec: Pod['spec'] = {}): Pod => ({
  metadata: { name, namespace: 'default', labels: { app: 'web' } },
  spec: { ...makePod(name).spec, ...spec },
});

interface Options {
  readonly spec?: Pod['spec'];
  /** Places in filter order; -1: the plugin does not filter. */
  readonly spread?: number;
  readonly affinity?: number;
  readonly labels?: readonly Record<string, string>[];
  /** Whether nodes without a topology key are left out of the score. */
  readonly requireAllKeys?: boolean;
}

const APART = [
  { zone: 'a', rack: 'r0' },
  { zone: 'b', rack: 'r1' },
  { zone: 'b', rack: 'r2' },
];

/** A web pod on n0, and the plan of another with such a spec. */
function start({ spec = {}, spread = 0, affinity = 1, labels = APART, requireAllKeys = true }: Options = {}) {
  const world = new EngineColumns().add(...labels.map((each, i) => makeNode(`n${i}`, { labels: each })));
  const { cluster, topology, columns, kernels, memory } = world;
  cluster.pods.add(web('there', { nodeName: 'n0' }));
  const spreading = { name: 'Spread', form: new PodTopologySpread(cluster).topology, position: spread };
  const attracting = { name: 'Affinity', form: new InterPodAffinity(cluster).topology, position: affinity };
  const pod = makePodInfo(web('p', spec));
  const constraints = (action: 'DoNotSchedule' | 'ScheduleAnyway') => {
    const found = spreading.form.constraints(pod, action);
    if ('error' in found) throw new Error(found.error);
    return found;
  };
  const [hard, soft] = [constraints('DoNotSchedule'), constraints('ScheduleAnyway')];
  const isSpread = (pod.pod.spec?.topologySpreadConstraints ?? []).length > 0;
  const plan = new TopologyPlan(
    isSpread ? new SpreadPlan(topology, pod, hard, soft, requireAllKeys) : null,
    new AffinityPlan(topology, pod, cluster.objects, attracting.form),
    { spread: spreading, affinity: attracting },
  );
  const feasible = columns.table.add('i32');
  const slots = labels.length;
  const filter = (): number[] => {
    feasible.values.fill(-1, 0, slots);
    plan.filter(kernels, feasible, slots, null);
    return [...feasible.values.subarray(0, slots)];
  };
  const work = columns.table.add('i32');
  const count = (accepted: readonly number[], mark?: (slot: number, status: Status) => void) => {
    feasible.values.set(accepted);
    const rows = { feasible, feasibleCount: accepted.filter((each) => each !== 0).length };
    return plan.countRejections(kernels, rows, work, slots, mark);
  };
  const scratch = new TopologyScratch(memory, columns.table);
  const score = (form: typeof spreading.form | typeof attracting.form): number[] | null => {
    feasible.values.fill(-1, 0, slots);
    const isScored = plan.score(form, kernels, scratch, feasible, slots);
    return isScored ? [...scratch.normalized.values.subarray(0, slots)] : null;
  };
  return { world, plan, filter, count, score, forms: { spread: spreading.form, affinity: attracting.form } };
}

describe('what a plan filters', () => {
  test('is nothing without a rule of either kind', () => {
    const { plan, filter } = start();
    expect([plan.filters, filter(), plan.rejection(0)]).toEqual([false, [-1, -1, -1], null]);
  });

  test('is what spread or affinity rejects', () => {
    const spread = start({ spec: { topologySpreadConstraints: [HARD] } });
    expect([spread.plan.filters, spread.filter()]).toEqual([true, [0, -1, -1]]);
    const affinity = start({ spec: { affinity: AWAY }, labels: [{ rack: 'r' }, { rack: 'r' }, {}] });
    expect([affinity.plan.filters, affinity.filter()]).toEqual([true, [0, 0, -1]]);
  });

  test('is nothing of a plugin that does not filter', () => {
    const spec = { topologySpreadConstraints: [HARD], affinity: AWAY };
    const { plan, filter } = start({ spec, spread: -1, affinity: -1 });
    expect([plan.filters, filter(), plan.rejection(0)]).toEqual([false, [-1, -1, -1], null]);
    expect(plan.firstPosition).toBe(Number.POSITIVE_INFINITY);
  });

  test('comes to mean other pods when they bring terms', () => {
    const { world, plan, filter } = start();
    world.cluster.pods.add(web('foe', { nodeName: 'n1', affinity: AWAY }));
    expect([plan.filters, filter()]).toEqual([true, [-1, 0, -1]]);
  });
});

describe('who rejects a node', () => {
  const spec = { topologySpreadConstraints: [HARD], affinity: AWAY };
  const SPREAD = "node(s) didn't match pod topology spread constraints";
  const AFFINITY = "node(s) didn't match pod anti-affinity rules";

  test.each([
    [0, 1, SPREAD, 0],
    [4, 2, AFFINITY, 2],
    [-1, 3, AFFINITY, 3],
    [5, -1, SPREAD, 5],
  ])('with spread at %i and affinity at %i: %s', (spread, affinity, reason, position) => {
    const { plan, filter } = start({ spec, spread, affinity });
    expect(filter()[0]).toBe(0);
    expect(plan.rejection(0)).toMatchObject({ status: { reasons: [reason] }, position });
    expect(plan.rejection(1)).toBe(null);
    expect(plan.firstPosition).toBe(position);
  });

  test('a node without the label is no matter of skew', () => {
    const { plan, filter } = start({ spec, labels: [{ zone: 'a' }, { zone: 'b' }, {}] });
    filter();
    expect(plan.rejection(2)?.status.reasons).toEqual([`${SPREAD} (missing required label)`]);
  });
});

describe('how many nodes are rejected', () => {
  const TOGETHER = { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
  const labels = fc.record(
    { zone: fc.constantFrom('a', 'b', 'c'), rack: fc.constantFrom('r0', 'r1', 'r2') },
    { requiredKeys: [] },
  );
  const pods = fc.array(
    fc.record({ node: fc.nat(9), affinity: fc.constantFrom<(Pod['spec'] & {})['affinity'][]>(undefined, AWAY) }),
    { maxLength: 6 },
  );
  const incoming = fc.record({
    topologySpreadConstraints: fc.subarray([HARD, { ...HARD, topologyKey: 'rack' }, SOFT]),
    affinity: fc.constantFrom<(Pod['spec'] & {})['affinity'][]>(undefined, AWAY, TOGETHER, { ...AWAY, ...TOGETHER }),
  });
  const places = fc.constantFrom([0, 1], [4, 2], [-1, 3], [5, -1]);

  test('is what asking about each of them gives, the rejected nodes left out, if none is left', () => {
    const nodes = fc.array(fc.record({ labels, isAccepted: fc.boolean() }), { minLength: 1, maxLength: 10 });
    fc.assert(
      fc.property(nodes, pods, incoming, places, (given, others, spec, [spread = 0, affinity = 0]) => {
        const { world, plan, filter, count } = start({
          spec,
          spread,
          affinity,
          labels: given.map((each) => each.labels),
        });
        for (const [i, other] of others.entries()) {
          const nodeName = `n${other.node % given.length}`;
          world.cluster.pods.add(web(`o${i}`, { nodeName, ...(other.affinity && { affinity: other.affinity }) }));
        }
        filter();
        const expected = new Map<Status, number>();
        const bySlot: [number, Status][] = [];
        for (const [slot, { isAccepted }] of given.entries()) {
          const status = isAccepted ? plan.rejection(slot)?.status : undefined;
          if (status === undefined) continue;
          expected.set(status, (expected.get(status) ?? 0) + 1);
          bySlot.push([slot, status]);
        }
        const isLeft = given.some(({ isAccepted }, slot) => isAccepted && plan.rejection(slot) === null);
        const accepted = given.map(({ isAccepted }) => (isAccepted ? -1 : 0));
        expect(count(accepted)).toEqual(isLeft ? null : expected);
        const marked: [number, Status][] = [];
        count(accepted, (slot, status) => marked.push([slot, status]));
        expect(marked.sort(([a], [b]) => a - b)).toEqual(bySlot);
      }),
      { numRuns: 400 },
    );
  });
});

describe('the scores of a plan', () => {
  test('are those of the plugin whose form is given', () => {
    const preferred = [{ weight: 10, podAffinityTerm: term }];
    const affinity = { podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } };
    const { score, forms } = start({ spec: { topologySpreadConstraints: [SOFT], affinity } });
    expect(score(forms.affinity)).toEqual([100, 0, 0]);
    expect(score(forms.spread)).toEqual([0, 100, 100]);
  });

  test('are none where it has nothing to say', () => {
    const { score, forms } = start({ spec: { topologySpreadConstraints: [HARD] } });
    expect([score(forms.spread), score(forms.affinity)]).toEqual([null, null]);
    expect(start().score(forms.spread)).toBe(null);
  });
});

describe('rules', () => {
  test('are one object, until a pod brings a term about this one', () => {
    const { world, plan } = start({ spec: { topologySpreadConstraints: [HARD, SOFT] } });
    const rules = plan.rules(world.kernels);
    expect([rules.rules.length, rules.spread.length, rules.affinity.length]).toEqual([1, 1, 0]);
    world.cluster.pods.add(web('plain', { nodeName: 'n1' }));
    expect(plan.rules(world.kernels)).toBe(rules);
    world.cluster.pods.add(web('foe', { nodeName: 'n1', affinity: AWAY }));
    const later = plan.rules(world.kernels);
    expect(later).not.toBe(rules);
    expect(later.rules.map(({ isExclusion }) => isExclusion)).toEqual([false, true]);
  });

  test('follow the counts', () => {
    const { world, plan } = start({ spec: { topologySpreadConstraints: [HARD] } });
    const [rule] = plan.rules(world.kernels).rules;
    // The limit is one more than the fewest that any zone has, less the pod itself.
    expect(rule?.most()).toBe(0);
    world.cluster.pods.add(web('more', { nodeName: 'n1' }));
    expect(rule?.most()).toBe(1);
  });

  test('do not filter for a plugin that does not', () => {
    const spec = { topologySpreadConstraints: [HARD, SOFT], affinity: AWAY };
    const { world, plan } = start({ spec, spread: -1, affinity: -1 });
    expect(plan.rules(world.kernels)).toMatchObject({ rules: [], spread: [{ maxSkew: 1 }] });
  });

  test.each([
    [true, 'ignored'],
    [false, 'scored'],
  ])('say what becomes of nodes that lack the key of a soft constraint, all keys required: %s', (all, keyless) => {
    const spec = { topologySpreadConstraints: [SOFT] };
    const { world, plan } = start({ spec, labels: [{ zone: 'a' }, {}], requireAllKeys: all });
    const rules = plan.rules(world.kernels);
    expect(rules.keyless).toBe(keyless);
    expect(plan.rules(world.kernels)).toBe(rules);
    world.cluster.removeNode('n1');
    expect(plan.rules(world.kernels).keyless).toBe('none');
  });
});

test('an empty zone beside a missing one cannot be counted, unless every key is required', () => {
  const spec = { topologySpreadConstraints: [SOFT] };
  const isAmbiguous = (labels: Record<string, string>[], requireAllKeys: boolean): boolean =>
    start({ spec, labels, requireAllKeys }).plan.isAmbiguous(labels.length);
  expect(isAmbiguous([{ zone: 'a' }, { zone: '' }, {}], false)).toBe(true);
  expect(isAmbiguous([{ zone: 'a' }, { zone: '' }, {}], true)).toBe(false);
  expect(isAmbiguous([{ zone: 'a' }, { zone: '' }], false)).toBe(false);
  expect(isAmbiguous([{ zone: 'a' }, {}], false)).toBe(false);
});
