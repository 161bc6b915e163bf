import { describe, expect, test } from 'vitest';
import type { Affinity, Pod } from '../../../src/api/pod.ts';
import type { PodAffinityTerm } from '../../../src/api/pod-affinity.ts';
import type { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { CycleState } from '../../../src/framework/cycle-state.ts';
import type { InterPodAffinityArgs } from '../../../src/plugins/inter-pod-affinity/args.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { clusterOf, node, pod } from '../sample-cluster.ts';

const web = { app: 'web' };
const db = { app: 'db' };
const near = (labels: Record<string, string>, over: Partial<PodAffinityTerm> = {}): PodAffinityTerm => ({
  topologyKey: 'zone',
  labelSelector: { matchLabels: labels },
  ...over,
});
const required = (...terms: PodAffinityTerm[]) => ({ requiredDuringSchedulingIgnoredDuringExecution: terms });
const preferred = (weight: number, podAffinityTerm: PodAffinityTerm) => ({
  preferredDuringSchedulingIgnoredDuringExecution: [{ weight, podAffinityTerm }],
});
const withAffinity = (affinity: Affinity, labels: Record<string, string> = web): Pod => pod('p', labels, { affinity });

/** Two nodes in zone a, one in b, one in none. */
const zones = (...pods: Pod[]) =>
  clusterOf([node('a0', { zone: 'a' }), node('a1', { zone: 'a' }), node('b0', { zone: 'b' }), node('none')], pods);
const runningOn = (nodeName: string, labels: Record<string, string>, affinity?: Affinity): Pod =>
  pod(`on-${nodeName}`, labels, { nodeName, ...(affinity && { affinity }) });

const AFFINITY = "UnschedulableAndUnresolvable node(s) didn't match pod affinity rules";
const ANTI_AFFINITY = "Unschedulable node(s) didn't match pod anti-affinity rules";
const EXISTING = "Unschedulable node(s) didn't satisfy existing pods anti-affinity rules";

/** The verdicts on a0, a1, b0 and none; or why no node was looked at. */
function filter(cluster: ClusterState, incoming: Pod): (string | null)[] | string {
  const plugin = new InterPodAffinity(cluster);
  const state = new CycleState();
  const info = cluster.pods.info(incoming);
  const status = plugin.preFilter(state, info);
  if (status !== null) return [status.code, ...status.reasons].join(' ');
  return cluster.nodeInfos().map((each) => {
    const verdict = plugin.filter(state, info, each);
    return verdict && [verdict.code, ...verdict.reasons].join(' ');
  });
}

function scores(cluster: ClusterState, incoming: Pod, args?: Partial<InterPodAffinityArgs>): number[][] | string {
  const plugin = new InterPodAffinity(cluster, args);
  const state = new CycleState();
  const info = cluster.pods.info(incoming);
  const status = plugin.preScore(state, info);
  if (status !== null) return [status.code, ...status.reasons].join(' ');
  const nodes = cluster.nodeInfos();
  const raw = nodes.map((each) => plugin.score(state, info, each));
  return [raw, plugin.normalizeScores(state, info, nodes, raw)];
}

describe('InterPodAffinity filter', () => {
  test('required affinity: only domains with such a pod', () => {
    const incoming = withAffinity({ podAffinity: required(near(db)) });
    expect(filter(zones(runningOn('a1', db)), incoming)).toEqual([null, null, AFFINITY, AFFINITY]);
    expect(filter(zones(), incoming)).toEqual([AFFINITY, AFFINITY, AFFINITY, AFFINITY]);
  });

  test('one pod must match all terms', () => {
    const incoming = withAffinity({ podAffinity: required(near(db), near({ tier: '1' })) });
    const apart = zones(runningOn('a0', db), runningOn('a1', { tier: '1' }));
    expect(filter(apart, incoming)).toEqual([AFFINITY, AFFINITY, AFFINITY, AFFINITY]);
    expect(filter(zones(runningOn('a0', { ...db, tier: '1' })), incoming)).toEqual([null, null, AFFINITY, AFFINITY]);
  });

  test('the first of a group goes anywhere that has the label; the second does not', () => {
    const incoming = withAffinity({ podAffinity: required(near(web)) });
    expect(filter(zones(), incoming)).toEqual([null, null, null, AFFINITY]);
    expect(filter(zones(runningOn('b0', web)), incoming)).toEqual([AFFINITY, AFFINITY, null, AFFINITY]);
  });

  test('a pod that matches on a node without the label does not end the search for a first one', () => {
    const incoming = withAffinity({ podAffinity: required(near(web)) });
    expect(filter(zones(runningOn('none', web)), incoming)).toEqual([null, null, null, AFFINITY]);
  });

  test('required anti-affinity: not the domains with such a pod', () => {
    const incoming = withAffinity({ podAntiAffinity: required(near(db)) });
    expect(filter(zones(runningOn('a1', db)), incoming)).toEqual([ANTI_AFFINITY, ANTI_AFFINITY, null, null]);
  });

  test('the anti-affinity of a running pod counts against the new one', () => {
    const cluster = zones(runningOn('a1', db, { podAntiAffinity: required(near(web)) }));
    expect(filter(cluster, pod('p', web))).toEqual([EXISTING, EXISTING, null, null]);
    expect(filter(cluster, pod('p', db))).toBe('Skip');
  });

  test('is skipped where nothing is required', () => {
    expect(filter(zones(runningOn('a1', db)), pod('p', web))).toBe('Skip');
  });

  test('namespaces are selected as they are labelled now', () => {
    const incoming = withAffinity({
      podAntiAffinity: required(near(db, { namespaceSelector: { matchLabels: { team: 'x' } } })),
    });
    const cluster = zones(pod('other', db, { nodeName: 'b0' }, 'a'));
    expect(filter(cluster, incoming)).toEqual([null, null, null, null]);
    cluster.objects.set('Namespace', { metadata: { name: 'a', labels: { team: 'x' } } });
    expect(filter(cluster, incoming)).toEqual([null, null, ANTI_AFFINITY, null]);
  });

  test('a malformed selector is for good', () => {
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    const incoming = withAffinity({ podAffinity: required({ topologyKey: 'zone', labelSelector }) });
    expect(filter(zones(), incoming)).toBe(
      'UnschedulableAndUnresolvable parsing pod: requiredAffinityTerms: "Near" is not a valid label selector operator',
    );
  });

  test('a malformed selector of a running pod is no obstacle', () => {
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    const cluster = zones(runningOn('a0', db, { podAntiAffinity: required({ topologyKey: 'zone', labelSelector }) }));
    expect(filter(cluster, pod('p', web))).toBe('Skip');
  });
});

describe('InterPodAffinity score', () => {
  test('preferred terms add and take their weight, both ways', () => {
    const incoming = withAffinity({ podAffinity: preferred(10, near(db)), podAntiAffinity: preferred(4, near(web)) });
    const cluster = zones(
      runningOn('a0', db),
      runningOn('b0', web, { podAffinity: preferred(3, near(web)), podAntiAffinity: preferred(1, near(db)) }),
    );
    // Zone b: -4 for the web pod there, +3 for what it thinks of the new one.
    expect(scores(cluster, incoming)).toEqual([
      [10, 10, -1, 0],
      [100, 100, 0, 9],
    ]);
  });

  test('a required term of a running pod counts hardPodAffinityWeight', () => {
    const cluster = zones(runningOn('a0', db, { podAffinity: required(near(web)) }));
    expect(scores(cluster, pod('p', web))).toEqual([
      [1, 1, 0, 0],
      [100, 100, 0, 0],
    ]);
    expect(scores(cluster, pod('p', web), { hardPodAffinityWeight: 7 })).toEqual([
      [7, 7, 0, 0],
      [100, 100, 0, 0],
    ]);
    expect(scores(cluster, pod('p', web), { hardPodAffinityWeight: 0 })).toBe('Skip');
  });

  test('is skipped only where no term matches at all', () => {
    expect(scores(zones(runningOn('a0', db)), pod('p', web))).toBe('Skip');
    const balanced = { podAffinity: preferred(5, near(db)), podAntiAffinity: preferred(5, near(db)) };
    expect(scores(zones(runningOn('a0', db)), withAffinity(balanced))).toEqual([
      [0, 0, 0, 0],
      [0, 0, 0, 0],
    ]);
  });

  test('running pods can be ignored by pods without preferences', () => {
    const args = { ignorePreferredTermsOfExistingPods: true };
    const cluster = zones(runningOn('a0', db, { podAffinity: preferred(3, near(web)) }));
    expect(scores(cluster, pod('p', web))).toEqual([
      [3, 3, 0, 0],
      [100, 100, 0, 0],
    ]);
    expect(scores(cluster, pod('p', web), args)).toBe('Skip');
    const choosy = withAffinity({ podAffinity: preferred(1, near(db)) });
    expect(scores(cluster, choosy, args)).toEqual([
      [4, 4, 0, 0],
      [100, 100, 0, 0],
    ]);
  });

  test('fails with a malformed selector', () => {
    const labelSelector = { matchExpressions: [{ key: 'app', operator: 'Near' }] };
    const incoming = withAffinity({ podAffinity: preferred(1, { topologyKey: 'zone', labelSelector }) });
    expect(scores(zones(), incoming)).toBe(
      'Error failed to parse pod: preferredAffinityTerms: "Near" is not a valid label selector operator',
    );
  });
});
