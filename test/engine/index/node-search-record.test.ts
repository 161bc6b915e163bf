import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { heapRoot } from '../../../src/engine/cycle/heap-root.ts';
import { NodeSearchRecord, type WindowBest } from '../../../src/engine/index/node-search-record.ts';
import { SignatureTotals } from '../../../src/engine/index/signature-totals.ts';
import {
  accepts,
  normalizedAffinity,
  normalizedSpread,
  rawAffinity,
  rawSpread,
} from '../../../src/engine/index/topology-scores.ts';
import type { Keyless, SpreadScore, TopologyRules } from '../../../src/engine/topology/topology-rules.ts';
import { normalizeScore } from '../../../src/framework/normalize-score.ts';
import type { FilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import type { KernelKind } from '../../../src/kernels/load.ts';
import { DomainCount, PodCounter } from '../../../src/memory/domain-counter.ts';
import { SharedVector } from '../../../src/memory/shared-vector.ts';
import { TopologyDomains } from '../../../src/memory/topology-domains.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';
import { mustForm, newBlock, totalsModules } from '../../builders/totals-parts.ts';

const fit = new NodeResourcesFit();
const byLabel = (name: string, reverse: boolean): ScorePlugin => ({
  ...{ name, scoreReads: 'node', normalize: { reverse } },
  score: (_state, _pod, { node }) => Number(node.metadata?.labels?.[name] ?? 0),
});
const [likes, dislikes] = [byLabel('likes', false), byLabel('dislikes', true)];
const door: FilterPlugin = {
  ...{ name: 'Door', filterReads: 'node' },
  filter: (_state, _pod, { node }) => (node.metadata?.labels?.['door'] ? unschedulable('Door', 'shut') : null),
};

interface ModelNode {
  readonly isShut: boolean;
  readonly likes: number;
  readonly dislikes: number;
  readonly zone: string | undefined;
  /** Whether the node has the label by which pods are counted node by node. */
  readonly isNamed: boolean;
  /** The pods that count on this node, if counted node by node. */
  readonly pods: number;
}

const node: fc.Arbitrary<ModelNode> = fc.record({
  isShut: fc.constantFrom(false, false, false, true),
  likes: fc.constantFrom(0, 0, 3, 7),
  dislikes: fc.constantFrom(0, 0, 1, 2),
  zone: fc.constantFrom('a', 'b', 'c', undefined),
  isNamed: fc.constant(true),
  pods: fc.nat(3),
});
const case_ = fc.record({
  nodes: fc.oneof(
    fc.array(node, { minLength: 1, maxLength: 24, size: 'max' }),
    fc.array(node, { minLength: 40, maxLength: 60, size: 'max' }),
    // Kernels take many nodes a step, and pass over parts of the deeper levels of the heap.
    fc.array(node, { minLength: 130, maxLength: 200, size: 'max' }),
  ),
  /** The node that has no name, if there is one of this number. */
  nameless: fc.constantFrom(5, 100, 100, 100),
  hasZones: fc.constantFrom(true, true, true, false),
  /** The slots to which a pod comes after a first search. */
  charged: fc.array(fc.nat(199), { maxLength: 12 }),
  start: fc.nat(199),
  wanted: fc.oneof(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 20, max: 200 })),
  countsByZone: fc.array(fc.nat(6), { minLength: 3, maxLength: 3 }),
  rules: fc.array(
    fc.record({
      isByNode: fc.boolean(),
      least: fc.nat(1),
      most: fc.integer({ min: 1, max: 6 }),
      absentFits: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  spread: fc.array(fc.record({ isByNode: fc.boolean(), maxSkew: fc.integer({ min: 1, max: 4 }) }), { maxLength: 2 }),
  affinity: fc.array(fc.record({ isByNode: fc.boolean(), weight: fc.integer({ min: -9, max: 9 }) }), { maxLength: 2 }),
  keyless: fc.constantFrom<Keyless>('none', 'scored', 'ignored'),
});
type Case = typeof case_ extends fc.Arbitrary<infer T> ? T : never;

const WEIGHTS = { spread: 2, affinity: 3 };

function build(kind: KernelKind, { countsByZone, spread, keyless, ...rest }: Case) {
  const hasKeys = spread.length > 0 && keyless === 'none';
  const nodes = rest.nodes.map((each, i) => {
    if (hasKeys) return { ...each, zone: each.zone ?? 'a' };
    return { ...each, zone: rest.hasZones ? each.zone : undefined, isNamed: i !== rest.nameless };
  });
  const weights = new Map([
    [fit.name, 1],
    [likes.name, 2],
    [dislikes.name, 3],
  ]);
  const world = new EngineColumns({ kind, plugins: [door, fit, likes, dislikes], weights });
  const { memory, columns } = world;
  nodes.forEach((each, i) => {
    const labels = { likes: `${each.likes}`, dislikes: `${each.dislikes}`, ...(each.isShut && { door: 'shut' }) };
    world.add(makeNode(`n${i}`, { cpu: 4 + (i % 3), labels }));
  });
  const modules = totalsModules(world);
  const signature = world.signatureOf(makePod('p', { requests: { cpu: 1 } }));
  const totals = new SignatureTotals(modules, newBlock(world, modules), signature, mustForm(world, signature));
  signature.verdicts.sync();
  totals.refresh();
  const domains = new TopologyDomains(memory, columns.table);
  const pods = new PodCounter(columns.table);
  const hosts = new TopologyDomains(memory, columns.table);
  nodes.forEach(({ zone, isNamed, pods: count }, slot) => {
    domains.assign(slot, zone);
    hosts.assign(slot, isNamed ? `n${slot}` : undefined);
    pods.perNode.values[slot] = count;
  });
  const counts = new SharedVector(memory);
  counts.reserve(domains.count);
  for (let i = 0; i < domains.count; i++) counts.add(i, countsByZone[i] ?? 0);
  const byZone = new DomainCount(domains, pods, { counts, isByNode: false });
  const byNode = pods.countByNode(hosts);
  const countOf = ({ isByNode }: { isByNode: boolean }): DomainCount => (isByNode ? byNode : byZone);
  const rules: TopologyRules = {
    rules: rest.rules.map(({ least, most, ...rule }) => ({
      ...{
        count: countOf(rule),
        absentFits: rule.absentFits,
        isExclusion: false,
        bound: { kind: 'fixed' } as const,
        least: () => least,
        most: () => most,
      },
    })),
    spread: spread.map(({ maxSkew, ...each }) => ({ count: countOf(each), maxSkew })),
    keyless,
    affinity: rest.affinity.map(({ weight, ...each }) => ({ count: countOf(each), weight })),
    kept: null,
  };
  return { world, totals, nodes, rules };
}

type World = ReturnType<typeof build>;

/** What the search should find, in plain words. */
function expected({ totals, nodes, rules }: World, { start, wanted }: Case): WindowBest | null {
  const order = nodes.map((_, i) => (start + i) % nodes.length);
  const readAt = (slot: number) => (count: DomainCount) => {
    const domain = count.domains.domainOf(slot);
    return domain < 0 ? -1 : count.countAt(slot, domain);
  };
  const fits = (slot: number): boolean =>
    totals.totalAt(slot) >= 0 && rules.rules.every((rule) => accepts(rule, readAt(slot)));
  const feasible = order.filter(fits);
  const found = feasible.slice(0, wanted);
  if (found.length === 0) return null;
  const processed = feasible.length > wanted ? order.indexOf(feasible[wanted] ?? 0) : nodes.length;
  const part = (slots: readonly number[], what: 'likes' | 'dislikes', slot: number): number => {
    const most = Math.max(...slots.map((each) => nodes[each]?.[what] ?? 0));
    return normalizeScore(nodes[slot]?.[what] ?? 0, most, { reverse: what === 'dislikes' });
  };
  // The rows are normalised by all nodes that are feasible without rules.
  const all = nodes.flatMap((_, slot) => (totals.totalAt(slot) >= 0 ? [slot] : []));
  const hasKey = (slot: number, { count }: SpreadScore): boolean => count.domains.domainOf(slot) >= 0;
  const hasKeys = (slot: number): boolean => rules.spread.every((each) => hasKey(slot, each));
  const scored = rules.keyless === 'ignored' ? found.filter(hasKeys) : found;
  const sizes = rules.spread.map(({ count }) =>
    count.isByNode ? scored.length : new Set(scored.map((slot) => count.domains.domainOf(slot))).size,
  );
  const rawOf = (slot: number): number => {
    const known = rules.spread.map((each) => hasKey(slot, each));
    const withKey = <T>(list: readonly T[]): T[] => list.filter((_, i) => known[i]);
    return rawSpread(withKey(rules.spread), withKey(sizes), readAt(slot));
  };
  const spread = new Map(scored.map((slot) => [slot, rawOf(slot)]));
  const affinity = found.map((slot) => rawAffinity(rules.affinity, readAt(slot)));
  const sums = found.map((slot, i) => {
    if (found.length === 1) return totals.totalAt(slot);
    let sum = totals.totalAt(slot);
    sum += 2 * (part(found, 'likes', slot) - part(all, 'likes', slot));
    sum += 3 * (part(found, 'dislikes', slot) - part(all, 'dislikes', slot));
    const [raw, affine = 0] = [spread.get(slot), affinity[i]];
    if (rules.spread.length > 0 && raw !== undefined) {
      const raws = [...spread.values()];
      sum += WEIGHTS.spread * normalizedSpread(raw, Math.min(...raws), Math.max(...raws));
    }
    if (rules.affinity.length > 0) {
      sum += WEIGHTS.affinity * normalizedAffinity(affine, Math.min(...affinity), Math.max(...affinity));
    }
    return sum;
  });
  const total = Math.max(...sums);
  const best = found.filter((_, i) => sums[i] === total);
  const root = found[heapRoot(sums)] ?? -1;
  return { total, feasibleNodes: found.length, processed, ties: best.length, first: Math.min(...best), root };
}

describe.each(['scalar', 'simd'] as const)('a search by %s kernels', (kind) => {
  test('finds the best of the nodes that it sees, with scores normalised over these', () => {
    fc.assert(
      fc.property(case_, (given) => {
        const each = { ...given, start: given.start % given.nodes.length };
        const built = build(kind, each);
        const { world, totals, rules } = built;
        const ties = world.columns.table.add('i32');
        const search = new NodeSearchRecord(world, ties);
        const { block, number } = totals;
        const best = (isUpstream: boolean): WindowBest | null => {
          search.begin({ start: each.start, wanted: each.wanted }, isUpstream);
          search.addRules(rules, WEIGHTS, []);
          const ordered = totals.ordered(search.order) ?? 0;
          world.kernels.searchNodes(world.env.pointer, block.pointer, number, ordered, search.pointer);
          return search.result();
        };
        const wanted = expected(built, each);
        expect(best(false)).toEqual(wanted && { ...wanted, root: -1 });
        expect(best(true)).toEqual(wanted && { ...wanted, first: -1 });
        for (const slot of new Set(given.charged.map((at) => at % given.nodes.length))) {
          world.kernels.chargeNode(world.env.pointer, block.pointer, number, slot);
        }
        if (world.kernels.syncBlock(world.env.pointer, block.pointer) === 0) block.rescan();
        const followed = best(false);
        totals.rowsChanged();
        expect(followed).toEqual(best(false));
      }),
      { numRuns: runs(60) },
    );
  });
});
