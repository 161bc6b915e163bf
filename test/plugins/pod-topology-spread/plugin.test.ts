import { describe, expect, test } from 'vitest';
import type { LabelSelector } from '../../../src/api/label-selector.ts';
import type { Pod, PodSpec } from '../../../src/api/pod.ts';
import type { TopologySpreadConstraint } from '../../../src/api/topology-spread.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { PodTopologySpreadArgs } from '../../../src/plugins/pod-topology-spread/args.ts';
import { PodTopologySpread } from '../../../src/plugins/pod-topology-spread/plugin.ts';
import { clusterOf, node, pod } from '../sample-cluster.ts';

const web = { app: 'web' };
const selector: LabelSelector = { matchLabels: web };
const hard = (over: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  maxSkew: 1,
  topologyKey: 'zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: selector,
  ...over,
});
const soft = (over: Partial<TopologySpreadConstraint> = {}) => hard({ whenUnsatisfiable: 'ScheduleAnyway', ...over });
const spreading = (constraint: TopologySpreadConstraint, spec: PodSpec = {}): Pod =>
  pod('p', web, { ...spec, topologySpreadConstraints: [constraint] });

/** Two nodes in zone a, one in b, one in none; three web pods on a0, a1 and b0. */
const zones = () =>
  clusterOf(
    [node('a0', { zone: 'a' }), node('a1', { zone: 'a' }), node('b0', { zone: 'b' }), node('none')],
    ['a0', 'a1', 'b0'].map((nodeName) => pod(`web-${nodeName}`, web, { nodeName })),
  );

/** The answer for each node: '' accepted, '!' rejected, '!!' rejected for good. */
function filter(
  cluster: ClusterState,
  incoming: Pod,
  args?: Partial<PodTopologySpreadArgs>,
): Record<string, string> | string {
  const plugin = new PodTopologySpread(cluster, args);
  const state = new CycleState();
  const info = cluster.pods.info(incoming);
  const status = plugin.preFilter(state, info);
  if (status !== null) return [status.code, ...status.reasons].join(' ');
  const marks = { Unschedulable: '!', UnschedulableAndUnresolvable: '!!' } as Record<string, string>;
  const verdicts = cluster.nodeInfos().map((each) => [each.name, plugin.filter(state, info, each)] as const);
  return Object.fromEntries(
    verdicts.map(([name, verdict]) => [name, verdict === null ? '' : (marks[verdict.code] ?? verdict.code)]),
  );
}

function scores(
  cluster: ClusterState,
  incoming: Pod,
  args?: Partial<PodTopologySpreadArgs>,
  feasible = cluster.nodeInfos(),
) {
  const plugin = new PodTopologySpread(cluster, args);
  const state = new CycleState();
  const info = cluster.pods.info(incoming);
  const status = plugin.preScore(state, info, feasible);
  if (status !== null) return [status.code, ...status.reasons].join(' ');
  const raw = feasible.map((each) => plugin.score(state, info, each));
  return { raw, normalized: plugin.normalizeScores(state, info, feasible, raw) };
}

describe('PodTopologySpread filter', () => {
  test('rejects the domains that would have too many pods, and for good nodes without the label', () => {
    expect(filter(zones(), spreading(hard()))).toEqual({ a0: '!', a1: '!', b0: '', none: '!!' });
    expect(filter(zones(), spreading(hard({ maxSkew: 2 })))).toEqual({ a0: '', a1: '', b0: '', none: '!!' });
  });

  test('skips a pod without hard constraints', () => {
    expect(filter(zones(), spreading(soft()))).toBe('Skip');
    expect(filter(zones(), pod('p'))).toBe('Skip');
  });

  test('a pod that its own selector does not match does not count itself', () => {
    const constraint = hard();
    const other = pod('p', {}, { topologySpreadConstraints: [constraint] });
    expect(filter(zones(), other)).toEqual({ a0: '', a1: '', b0: '', none: '!!' });
  });

  test('an empty selector counts no pod but the new one', () => {
    expect(filter(zones(), spreading(hard({ labelSelector: {} })))).toEqual({ a0: '', a1: '', b0: '', none: '!!' });
  });

  test('terminating pods and those of other namespaces do not count', () => {
    const cluster = zones();
    const leaving = pod('leaving', web, { nodeName: 'b0' });
    cluster.pods.add({ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } });
    cluster.pods.add(pod('other', web, { nodeName: 'b0' }, 'elsewhere'));
    expect(filter(cluster, spreading(hard()))).toEqual({ a0: '!', a1: '!', b0: '', none: '!!' });
  });

  test('with fewer domains than minDomains the least is 0', () => {
    expect(filter(zones(), spreading(hard({ minDomains: 2 })))).toMatchObject({ b0: '' });
    expect(filter(zones(), spreading(hard({ minDomains: 3 })))).toMatchObject({ b0: '!' });
  });

  test('node affinity decides which nodes are domains, unless it is ignored', () => {
    const spec = { nodeSelector: { zone: 'a' } };
    // Zone b is no domain: the least is the 2 pods of zone a itself.
    expect(filter(zones(), spreading(hard(), spec))).toMatchObject({ a0: '' });
    expect(filter(zones(), spreading(hard({ nodeAffinityPolicy: 'Ignore' }), spec))).toMatchObject({ a0: '!' });
  });

  test('taints do not, unless they are honoured', () => {
    const taints = [{ key: 'k', effect: 'NoSchedule' }];
    const cluster = clusterOf([node('a0', { zone: 'a' }), node('b0', { zone: 'b' }, { taints })]);
    cluster.pods.add(pod('web-a0', web, { nodeName: 'a0' }));
    expect(filter(cluster, spreading(hard()))).toMatchObject({ a0: '!' });
    expect(filter(cluster, spreading(hard({ nodeTaintsPolicy: 'Honor' })))).toMatchObject({ a0: '' });
    const tolerations = [{ operator: 'Exists' }];
    expect(filter(cluster, spreading(hard({ nodeTaintsPolicy: 'Honor' }), { tolerations }))).toMatchObject({ a0: '!' });
  });

  test('matchLabelKeys narrow the selector to pods with the same values', () => {
    const incoming = pod('p', { ...web, rev: '2' }, { topologySpreadConstraints: [hard({ matchLabelKeys: ['rev'] })] });
    expect(filter(zones(), incoming)).toMatchObject({ a0: '', b0: '' });
  });

  test('a malformed selector fails the attempt', () => {
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    expect(filter(zones(), spreading(hard({ labelSelector })))).toBe(
      "Error get constraints from pod: obtaining pod's hard topology spread constraints: " +
        '"Near" is not a valid label selector operator',
    );
  });

  test('the constraints of the configuration stand in for those of the pod', () => {
    const cluster = zones();
    cluster.objects.set('Service', { metadata: { name: 's', namespace: 'default' }, spec: { selector: web } });
    const { labelSelector: _, ...constraint } = hard();
    const args: PodTopologySpreadArgs = { defaultingType: 'List', defaultConstraints: [constraint] };
    expect(filter(cluster, pod('p', web), args)).toEqual({ a0: '!', a1: '!', b0: '', none: '!!' });
    expect(filter(cluster, pod('p', { app: 'db' }), args)).toBe('Skip');
    expect(filter(cluster, spreading(soft()), args)).toBe('Skip');
  });
});

describe('PodTopologySpread score', () => {
  test('the emptier domain is better; a node without the label gets nothing', () => {
    // ln(2 zones + 2) = 1.386: two pods weigh 2.77, one 1.39.
    expect(scores(zones(), spreading(soft()))).toEqual({ raw: [3, 3, 1, 0], normalized: [33, 33, 100, 0] });
  });

  test('only domains with a feasible node weigh', () => {
    const cluster = zones();
    const feasible = cluster.nodeInfos().filter(({ name }) => name.startsWith('a'));
    // ln(1 + 2) = 1.0986, twice.
    expect(scores(cluster, spreading(soft()), {}, feasible)).toEqual({ raw: [2, 2], normalized: [100, 100] });
  });

  test('hostnames are counted node by node, without the inclusion policies', () => {
    const host = 'kubernetes.io/hostname';
    const cluster = clusterOf([node('n0', { [host]: 'n0' }), node('n1', { [host]: 'n1' })]);
    cluster.pods.add(pod('web-0', web, { nodeName: 'n0' }));
    const incoming = spreading(soft({ topologyKey: host }), { nodeSelector: { absent: '' } });
    expect(scores(cluster, incoming)).toEqual({ raw: [1, 0], normalized: [0, 100] });
  });

  test('nothing anywhere: every node is as good as can be', () => {
    expect(scores(zones(), spreading(soft({ labelSelector: undefined })))).toEqual({
      raw: [0, 0, 0, 0],
      normalized: [100, 100, 100, 0],
    });
  });

  test("the system's defaults score nodes without a zone by hostname", () => {
    const host = 'kubernetes.io/hostname';
    const zone = 'topology.kubernetes.io/zone';
    const cluster = clusterOf([node('n0', { [host]: 'n0', [zone]: 'a' }), node('n1', { [host]: 'n1' })]);
    cluster.objects.set('Service', { metadata: { name: 's', namespace: 'default' }, spec: { selector: web } });
    cluster.pods.add(pod('web-0', web, { nodeName: 'n1' }));
    // maxSkew 3 and 5 add 2 and 4; n1 counts one pod at ln(2 hosts + 2), and has no zone.
    expect(scores(cluster, pod('p', web))).toEqual({ raw: [6, 3], normalized: [50, 100] });
    expect(scores(cluster, pod('p'))).toBe('Skip');
  });

  test('skips a pod without soft constraints, fails with a malformed one', () => {
    expect(scores(zones(), spreading(hard()))).toBe('Skip');
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    expect(scores(zones(), spreading(soft({ labelSelector })))).toBe(
      "Error calculating preScoreState: obtaining pod's soft topology spread constraints: " +
        '"Near" is not a valid label selector operator',
    );
  });
});
