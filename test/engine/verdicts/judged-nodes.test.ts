import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeNodes } from '../../../src/engine/verdicts/judged-nodes.ts';
import { NodeJudge } from '../../../src/engine/verdicts/node-judge.ts';
import { VerdictTable } from '../../../src/engine/verdicts/verdict-table.ts';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, NodeParts, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(200);
const PORT = { ip: '0.0.0.0', protocol: 'TCP', port: 80 } as const;
const KEYS = ['a', 'b', 'c'];
const pod = makePod('p');

const labelOf = ({ node }: NodeInfo, key: string): string => node.metadata?.labels?.[key] ?? '';

const arbitraryParts = fc.option(fc.record({ taints: fc.boolean(), labels: fc.subarray(KEYS) }));

/** Rejects by the parts at which it says that it looks, or by the name of the node if it says nothing. */
function filterBy(name: string, parts: NodeParts | null, odd: number, asked: string[]): FilterPlugin {
  return {
    ...{ name, filterReads: 'node', looksAt: () => parts },
    filter: (_state, _pod, info) => {
      asked.push(`${name} ${info.name}`);
      const seen = parts === null ? info.name : parts.labels.map((key) => labelOf(info, key)).join();
      const tainted = parts?.taints && info.node.spec?.taints?.length ? 1 : 0;
      const sum = [...seen].reduce((total, letter) => total + letter.charCodeAt(0), tainted);
      return sum % 3 === odd ? unschedulable(name, `${sum % 2}`) : null;
    },
  };
}

const ports: FilterPlugin = {
  ...{ name: 'Ports', filterReads: 'hostPorts' },
  filter: (_state, _pod, { usedPorts }) => (usedPorts.conflictsWith([PORT]) ? unschedulable('Ports', 'taken') : null),
};
const onePort: FilterPlugin = { ...ports, hostPortsRead: () => [PORT.port] };

function scoreBy(name: string, parts: NodeParts | null): ScorePlugin {
  return {
    ...{ name, scoreReads: 'node', looksAt: () => parts, normalize: { reverse: false } },
    score: (_state, _pod, info) =>
      parts === null ? info.slot : parts.labels.filter((key) => labelOf(info, key)).length,
  };
}

const arbitraryNodes = fc.array(
  fc.record({ labels: fc.dictionary(fc.constantFrom(...KEYS), fc.constantFrom('x', 'y')), taint: fc.boolean() }),
  { minLength: 1, maxLength: 25 },
);

test('all nodes together get the verdicts that each gets by itself', () => {
  const arbitrary = fc.record({
    nodes: arbitraryNodes,
    filters: fc.array(fc.record({ parts: arbitraryParts, odd: fc.nat(4) }), { maxLength: 4 }),
    portsAt: fc.nat(5),
    readsOnePort: fc.boolean(),
    scores: fc.array(arbitraryParts, { maxLength: 3 }),
    taken: fc.array(fc.record({ at: fc.nat(24), hostPort: fc.constantFrom(80, 81) }), { maxLength: 6 }),
    removed: fc.array(fc.nat(24), { maxLength: 3 }),
    slotsPerLook: fc.constantFrom(0, 1, Number.POSITIVE_INFINITY),
  });
  fc.assert(
    fc.property(arbitrary, ({ nodes, filters, portsAt, readsOnePort, scores, taken, removed, slotsPerLook }) => {
      const asked: string[] = [];
      const plugins = filters.map(({ parts, odd }, i) => filterBy(`F${i}`, parts, odd, asked));
      if (portsAt <= plugins.length) plugins.splice(portsAt, 0, readsOnePort ? onePort : ports);
      const world = new EngineColumns({ plugins: [...plugins, ...scores.map((parts, i) => scoreBy(`S${i}`, parts))] });
      nodes.forEach(({ labels, taint }, i) => {
        world.add(makeNode(`n${i}`, { labels, taints: taint ? [{ key: 'k', effect: 'NoSchedule' }] : [] }));
      });
      const { cluster, attributes } = world;
      for (const at of new Set(removed)) if (at < nodes.length) cluster.removeNode(`n${at}`);
      for (const [i, { at, hostPort }] of taken.entries()) {
        if (!cluster.node(`n${at}`)) continue;
        cluster.pods.add(makePod(`t${i}`, { nodeName: `n${at}`, ports: [{ hostPort }] }));
      }
      cluster.updateSnapshot();
      const table = new VerdictTable();
      const modules = {
        ...{ cluster, attributes, filters: world.framework.filterPlugins },
        ...{ activeTrace: world.framework.activeTrace, pluginColumns: world.pluginColumns },
      };
      const judge = new NodeJudge(modules, world.preFiltered(pod), table, () => {});
      const ids = new Uint16Array(nodes.length + 2).fill(7);
      judgeNodes(judge, world, ids, slotsPerLook);
      expect([...ids.subarray(cluster.slotCount)].every((id) => id === 7)).toBe(true);
      expect(new Set(asked).size).toBe(asked.length);
      for (let slot = 0; slot < cluster.slotCount; slot++) {
        const node = cluster.nodeAt(slot);
        // One answer has one id, so that the same id is the same answer.
        expect(ids[slot]).toBe(node === undefined ? 0 : judge.idOf(node));
      }
    }),
    { numRuns },
  );
});
