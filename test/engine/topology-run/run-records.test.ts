import { describe, expect, test } from 'vitest';
import { SignatureIndex } from '../../../src/engine/index/signature-index.ts';
import { TopologyTotalsSets } from '../../../src/engine/index/topology-totals-sets.ts';
import { newKnownPod } from '../../../src/engine/topology/counted-pods.ts';
import { PodsPerSlot } from '../../../src/engine/topology/pods-per-slot.ts';
import type { TopologyRules } from '../../../src/engine/topology/topology-rules.ts';
import { MEMBER, MEMBER_WORDS, NODES, RUN, RUN_TERM } from '../../../src/engine/topology-run/run-layout.ts';
import { RunRecords } from '../../../src/engine/topology-run/run-records.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

/** Four nodes in two zones, and pods with one rule about their zone. */
function start() {
  const world = new EngineColumns();
  const { columns, cluster, topology, kernelPlugins } = world;
  world.add(...[0, 1, 2, 3].map((i) => makeNode(`n${i}`, { labels: { zone: `z${i % 2}` } })));
  const index = new SignatureIndex({ ...world, fit: kernelPlugins.allocation?.form }, true);
  world.envs.push(index.env);
  index.begin();
  const sets = new TopologyTotalsSets({ index, table: columns.table, cluster, topology });
  const counter = topology.domainCounter('all', () => 1, 'zone');
  const { count } = counter;
  const rule = { count, absentFits: true, isExclusion: false, least: () => 0, most: () => 7 };
  const rules: TopologyRules = {
    rules: [{ ...rule, bound: { kind: 'fixed' } }],
    ...{ spread: [], keyless: 'none', affinity: [], kept: null },
  };
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
  world.renew(signature);
  sets.best(signature, rules);
  const nodes = sets.known(signature, rules);
  if (nodes === null) throw new Error('the totals are kept');
  const countedPods = {
    ...newKnownPod(),
    ...{ pod: signature.pod, key: '', marks: [], isGone: false, hasRegistered: true, perSlot: new PodsPerSlot() },
    counters: [{ counter: counter.pods, multiplicity: 2 }],
  };
  const words = (pointer: number, count: number): number[] => [
    ...new Int32Array(world.memory.memory.buffer, pointer, count),
  ];
  const records = new RunRecords(world.memory, () => [countedPods]);
  const member = { nodes, rules, countedPods, exclusions: [], pods: 1 };
  return { records, member, signature, nodes, countedPods, counter, words, world };
}

describe('the records of a run', () => {
  test('lead from a member to its nodes, its rules, and the counts that it raises', () => {
    const { records, member: sortedMember, counter, words } = start();
    const run = words(records.write([sortedMember], 4), 5);
    const member = words(run[RUN.members] ?? 0, MEMBER_WORDS);
    const sorted = words(member[MEMBER.nodes] ?? 0, 16);
    expect(sorted[NODES.bucketCount]).toBe(2);
    expect(words(sorted[NODES.rows] ?? 0, 2)).toEqual([0, 1]);
    const [rule] = [words(member[MEMBER.rules] ?? 0, 12)];
    expect([rule[RUN_TERM.least], rule[RUN_TERM.most], rule[RUN_TERM.counts]]).toEqual([0, 7, counter.counts.pointer]);
    expect([member[MEMBER.raisedCount], member[MEMBER.sumCount], member[MEMBER.followerCount]]).toEqual([0, 1, 0]);
  });

  test('have the pods by node that a member raises, once somebody reads them', () => {
    const { records, member: sortedMember, counter, words } = start();
    const { pointer } = counter.pods.perNode;
    const run = words(records.write([sortedMember], 4), 5);
    const member = words(run[RUN.members] ?? 0, MEMBER_WORDS);
    expect(member[MEMBER.raisedCount]).toBe(1);
    expect(words(member[MEMBER.raised] ?? 0, 2)).toEqual([pointer, 2]);
  });

  test('hold their addresses when many members need more room', () => {
    const { records, member, nodes, words } = start();
    const run = words(records.write(new Array(100).fill(member), 4), 5);
    const last = words((run[RUN.members] ?? 0) + 99 * MEMBER_WORDS * 4, MEMBER_WORDS);
    const first = words(run[RUN.members] ?? 0, MEMBER_WORDS);
    expect(last[MEMBER.nodes]).toBe(first[MEMBER.nodes]);
    expect(words(last[MEMBER.rules] ?? 0, 10)).toEqual(words(first[MEMBER.rules] ?? 0, 10));
    expect([...records.nodes]).toEqual([nodes]);
    expect(records.isIncomplete(nodes)).toBe(false);
  });
});
