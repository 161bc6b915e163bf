import { describe, expect, test } from 'vitest';
import { ColumnEngine } from '../../../src/engine/columns/column-engine.ts';
import { DEFAULT_LIMITS, type EngineLimits } from '../../../src/engine/columns/column-engine-options.ts';
import { PodEncoder } from '../../../src/engine/signature/pod-encoder.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import type { FilterPlugin, Plugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import { Framework } from '../../../src/framework/runtime/framework.ts';
import { errorStatus, unschedulable } from '../../../src/framework/status.ts';
import { ActiveTrace } from '../../../src/framework/tracing/active-trace.ts';
import type { Pod } from '../../../src/index.ts';
import { InterPodAffinity } from '../../../src/plugins/inter-pod-affinity/plugin.ts';
import { NodeResourcesBalancedAllocation } from '../../../src/plugins/node-resources/balanced-allocation.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { InlineRunner } from '../../../src/pool/inline-runner.ts';
import { atEveryPoint } from '../../builders/framework-plugins.ts';
import { logLines } from '../../builders/log-lines.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

interface Options {
  readonly plugins?: readonly Plugin[];
  readonly limits?: EngineLimits;
  readonly index?: boolean;
}

/** An engine that filters and scores by resources and by pod affinity. */
function start({ plugins = [], limits = DEFAULT_LIMITS, index = true }: Options = {}) {
  const { lines, logger } = logLines('warn');
  let encoder: PodEncoder | undefined;
  const cluster = new ClusterState((pod) => encoder?.encode(pod) ?? podRequirements(pod));
  const all = [
    new NodeResourcesFit(),
    new NodeResourcesBalancedAllocation(),
    new InterPodAffinity(cluster),
    ...plugins,
  ];
  const framework = new Framework(atEveryPoint(all, new Map()), new ActiveTrace(), logger);
  encoder = new PodEncoder(framework);
  const engine = new ColumnEngine('simd', framework, cluster, index, (modules) => new InlineRunner(modules), {
    limits,
  });
  for (const i of [0, 1]) cluster.addNode(makeNode(`n${i}`, { zone: `z${i}` }));
  const info = (pod: Pod) => cluster.pods.info(pod);
  /** Where the pod would go by a cycle. */
  const decide = (pod: Pod): string[] => {
    cluster.updateSnapshot();
    const cycle = engine.begin(info(pod));
    cycle.filter({ start: 0, wanted: cluster.nodeCount });
    return cycle.feasibleNodes().map(({ name }) => name);
  };
  return { cluster, engine, lines, info, decide };
}

const podOf = (cpu: number | string, name = 'p', nodeName = '') => makePod(name, { requests: { cpu }, nodeName });
const awayFromItself = (name: string, nodeName = ''): Pod => {
  const labels = { app: 'web' };
  const term = { topologyKey: 'topology.kubernetes.io/zone', labelSelector: { matchLabels: labels } };
  const podAntiAffinity = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
  const { metadata, spec } = makePod(name, { nodeName });
  return { metadata: { ...metadata, labels }, spec: { ...spec, affinity: { podAntiAffinity } } };
};

describe('a signature', () => {
  test('is one for all pods with equal requirements', () => {
    const { engine, info } = start();
    const signature = engine.signatureOf(info(podOf(1, 'a')));
    expect(engine.signatureOf(info(podOf('1000m', 'b')))).toBe(signature);
    expect(engine.signatureOf(info(podOf(2, 'c')))).not.toBe(signature);
    expect(signature.pod.name).toBe('a');
  });

  test('does not follow its first pod to a node', () => {
    const { engine, cluster, info } = start();
    const first = info(podOf(1));
    const signature = engine.signatureOf(first);
    cluster.pods.startAttempt(first);
    cluster.pods.assume(first, cluster.node('n0') ?? expect.fail());
    expect([first.nodeName, signature.pod.nodeName]).toEqual(['n0', '']);
  });

  test('has totals for the index, unless a plugin fails', () => {
    const frail: FilterPlugin = {
      ...{ name: 'Frail', filterReads: 'node', dependsOn: () => null },
      filter: (_state, _pod, { name }) => (name === 'broken' ? errorStatus('Frail', 'oh') : null),
    };
    const { engine, cluster, info } = start({ plugins: [frail] });
    const signature = engine.signatureOf(info(podOf(1)));
    expect(engine.totalsOf(signature)).not.toBe(null);
    cluster.addNode(makeNode('broken'));
    expect(engine.totalsOf(signature)).toBe(null);
  });

  test('keeps nothing where a plugin that scores reads the whole cluster', () => {
    let isOpen = true;
    const moody: FilterPlugin & ScorePlugin = {
      ...{ name: 'Moody', filterReads: 'cluster', scoreReads: 'cluster' },
      filter: () => (isOpen ? null : unschedulable('Moody', 'no')),
      score: () => 0,
    };
    const { engine, info, decide } = start({ plugins: [moody] });
    const signature = engine.signatureOf(info(podOf(1)));
    expect([signature.preScore, engine.totalsOf(signature)]).toEqual([null, null]);
    expect(decide(podOf(1))).toEqual(['n0', 'n1']);
    isOpen = false;
    expect(decide(podOf(1))).toEqual([]);
  });

  test('keeps all but the answers of a filter that reads the whole cluster', () => {
    let isOpen = true;
    const moody: FilterPlugin = {
      ...{ name: 'Moody', filterReads: 'cluster' },
      filter: () => (isOpen ? null : unschedulable('Moody', 'no')),
    };
    const { engine, info, decide } = start({ plugins: [moody] });
    const signature = engine.signatureOf(info(podOf(1)));
    expect([...signature.attemptFilters]).toEqual(['Moody']);
    expect([signature.preScore, engine.totalsOf(signature)]).toEqual([expect.anything(), expect.anything()]);
    expect(decide(podOf(1))).toEqual(['n0', 'n1']);
    isOpen = false;
    expect(decide(podOf(1))).toEqual([]);
  });
});

describe('what a decision depends on beside the signature', () => {
  test('is nothing while no pod has terms', () => {
    const { engine, info } = start();
    expect([engine.topologyOf(info(podOf(1))), engine.isQuiet]).toEqual(['none', true]);
  });

  test('is rules for a pod with terms, and for those whom they may concern', () => {
    const { engine, cluster, info } = start();
    const rules = engine.topologyOf(info(awayFromItself('a')));
    expect(rules).toMatchObject({ rules: [{ isExclusion: true }], spread: [], affinity: [] });
    cluster.pods.add(awayFromItself('there', 'n0'));
    expect(engine.isQuiet).toBe(false);
    const { metadata, spec } = podOf(1);
    const web = { metadata: { ...metadata, labels: { app: 'web' } }, spec };
    expect(engine.topologyOf(info(web as Pod))).toMatchObject({ rules: [{ isExclusion: true }] });
    expect(engine.topologyOf(info(podOf(1)))).toBe('none');
  });

  test('cannot be said of a malformed selector', () => {
    const { engine, info, lines, decide } = start();
    const bad = awayFromItself('bad');
    const [term] = bad.spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
    Object.assign(term ?? {}, { labelSelector: { matchExpressions: [{ key: 'a', operator: 'Oddly' }] } });
    expect(engine.topologyOf(info(bad))).toBe('unknown');
    decide(bad);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('reason="a selector that cannot be read"');
  });
});

describe('the reference engine decides', () => {
  test('while some amount is beyond 2^53', () => {
    const { cluster, decide, lines } = start();
    cluster.addNode(makeNode('huge', { memory: '9007199254740993' }));
    expect(decide(podOf(1))).toEqual(['n0', 'n1', 'huge']);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('reason="amounts beyond 2^53"');
    cluster.removeNode('huge');
    expect(decide(podOf(1))).toEqual(['n0', 'n1']);
  });

  test('for a pod that asks for more than that', () => {
    const { decide, lines } = start();
    expect(decide(makePod('p', { requests: { memory: '9007199254740993' } }))).toEqual([]);
    expect(lines).toHaveLength(1);
  });
});

describe('what nodes have', () => {
  test('is taken of them by pods that come, given back by those that go', () => {
    const { cluster, decide } = start();
    cluster.pods.add(podOf(4, 'a', 'n0'));
    expect(decide(podOf(1))).toEqual(['n1']);
    cluster.pods.remove('default', 'a');
    expect(decide(podOf(1))).toEqual(['n0', 'n1']);
  });

  test('counts for a resource that was never mentioned before', () => {
    const { cluster, decide } = start();
    const gpu = (name: string, nodeName = '') => makePod(name, { requests: { 'example.com/gpu': 1 }, nodeName });
    expect(decide(gpu('p'))).toEqual([]);
    cluster.updateNode(makeNode('n1', { allocatable: { 'example.com/gpu': 1 } }));
    expect(decide(gpu('p'))).toEqual(['n1']);
    cluster.pods.add(gpu('there', 'n1'));
    expect(decide(gpu('p'))).toEqual([]);
  });

  test('is not taken twice by a pod that the engine has charged itself', () => {
    const { engine, cluster, info, decide } = start();
    // Nobody has charged it in truth: the columns stay as they were, until the node's pods change again.
    cluster.pods.assume(info(podOf(4, 'a')), cluster.node('n0') ?? expect.fail(), engine);
    expect(decide(podOf(1))).toEqual(['n0', 'n1']);
    cluster.pods.add(podOf(0, 'b', 'n0'));
    expect(decide(podOf(1))).toEqual(['n1']);
  });

  test.each([true, false])('is kept when there are more nodes than rows, index: %s', (index) => {
    const { cluster, decide } = start({ index });
    cluster.pods.add(podOf(4, 'a', 'n0'));
    expect(decide(podOf(1))).toEqual(['n1']);
    for (let i = 2; i < 100; i++) cluster.addNode(makeNode(`n${i}`, { cpu: i === 80 ? 1 : 0 }));
    expect(decide(podOf(1))).toEqual(['n1', 'n80']);
    cluster.removeNode('n1');
    cluster.addNode(makeNode('late'));
    expect(decide(podOf(1))).toEqual(['n80', 'late']);
  });
});

describe('what is kept for signatures', () => {
  const limits = { objects: 10, bytes: Number.POSITIVE_INFINITY };

  test('is given up when it is too much, and made anew', () => {
    const { engine, cluster, info, decide } = start({ limits });
    const first = engine.signatureOf(info(podOf(1)));
    cluster.pods.add(podOf(4, 'a', 'n0'));
    for (let cpu = 1; cpu <= 12; cpu++) engine.signatureOf(info(podOf(`${cpu}m`)));
    expect(first.isReleased).toBe(false);
    engine.makeRoom();
    expect(first.isReleased).toBe(true);
    expect(engine.signatureOf(info(podOf(1)))).not.toBe(first);
    expect(decide(podOf(1))).toEqual(['n1']);
  });

  test('takes no more memory however many signatures come and go', () => {
    const { engine, decide } = start({ limits });
    const bytes = Array.from({ length: 200 }, (_, i) => {
      decide(podOf(`${i + 1}m`));
      return engine.sharedMemoryBytes;
    });
    expect(Math.max(...bytes.slice(20))).toBeLessThanOrEqual(Math.max(...bytes.slice(0, 20)));
  });

  test('is not given up while there is little', () => {
    const { engine, info } = start();
    const first = engine.signatureOf(info(podOf(1)));
    engine.makeRoom();
    expect([first.isReleased, engine.signatureOf(info(podOf(1))) === first]).toEqual([false, true]);
  });
});
