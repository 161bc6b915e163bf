import { expect, test } from 'vitest';
import type { NodeInfo } from '../../../src/framework/node-info.ts';
import type { FilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

const NODES = 40;
const PORT = { ip: '0.0.0.0', protocol: 'TCP', port: 80 } as const;
const pod = makePod('p');

const labelOf = ({ node }: NodeInfo, key: string): string | undefined => node.metadata?.labels?.[key];

const door: FilterPlugin = {
  name: 'Door',
  filterReads: 'node',
  looksAt: () => ({ taints: true, labels: ['door', 'zone'] }),
  filter: (_state, _pod, info) =>
    labelOf(info, 'door') === 'shut' && !info.node.spec?.taints?.length ? unschedulable('Door', 'shut') : null,
};

/** Rejects nodes of a zone on which pods use a host port. */
const ports: FilterPlugin = {
  name: 'Ports',
  filterReads: 'hostPorts',
  filter: (_state, _pod, info) =>
    info.usedPorts.conflictsWith([PORT]) && labelOf(info, 'zone') === 'b' ? unschedulable('Ports', 'taken') : null,
};

const share: ScorePlugin = {
  name: 'Share',
  scoreReads: 'images',
  normalize: { reverse: false },
  scoredImages: () => ['app', 'web', 'app', 'gone'],
  score: (_state, _pod, { images }) => ['app', 'web'].filter((name) => images.has(name)).length,
};

/** Nodes that are there at once, so that all see the same states of images, some of them with pods that use ports. */
function newWorld(prng: Prng, filters: readonly FilterPlugin[]): EngineColumns {
  const world = new EngineColumns({ plugins: [...filters, share] });
  const held = [[], ['app'], ['web'], ['app', 'web']][prng.below(4)] ?? [];
  for (let i = 0; i < NODES; i++) {
    const labels = { ...(prng.below(3) === 0 && { door: 'shut' }), ...(prng.below(2) === 0 && { zone: 'b' }) };
    const images = Object.fromEntries(held.filter(() => prng.below(2) === 0).map((image) => [image, 1]));
    const taints = prng.below(4) === 0 ? [{ key: 'dedicated', effect: 'NoSchedule' as const }] : [];
    world.cluster.addNode(makeNode(`n${i}`, { labels, images, taints }));
    if (prng.below(4) === 0) world.cluster.pods.add(makePod(`p${i}`, { nodeName: `n${i}`, ports: [{ hostPort: 80 }] }));
  }
  const [removed, late] = [prng.below(4), prng.below(3)];
  for (let i = 0; i < removed; i++) world.cluster.removeNode(`n${i * 7}`);
  for (let i = 0; i < late; i++) world.cluster.addNode(makeNode(`late${i}`, { labels: { door: 'shut' } }));
  world.cluster.updateSnapshot();
  return world;
}

test('verdicts by looks and equal images are those of every node by itself', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const prng = new Prng(seed);
    const world = newWorld(prng, seed % 2 === 0 ? [door] : [door, ports]);
    const [unread, read] = [world.verdictsOf(pod), world.verdictsOf(pod)];
    expect(read.mask.values.some((passes) => passes === 1)).toBe(false);
    for (const verdicts of [unread, read]) verdicts.sync();
    const answers = (verdicts: typeof read) =>
      Array.from({ length: world.cluster.slotCount }, (_, slot) => {
        const id = verdicts.ids.values[slot] ?? -1;
        return [verdicts.accepts(id), verdicts.verdict(slot)?.status.reasons, verdicts.rawOfId('Share', id)];
      });
    const byCalls = Array.from({ length: world.cluster.slotCount }, (_, slot) => {
      const node = world.cluster.nodeAt(slot);
      if (node === undefined) return [false, undefined, 0];
      const { state, pod: info } = world.preFiltered(pod);
      const filters = seed % 2 === 0 ? [door] : [door, ports];
      const rejection = filters.map((plugin) => plugin.filter(state, info, node)).find((status) => status !== null);
      return [
        rejection === undefined,
        rejection?.reasons,
        rejection === undefined ? share.score(state, info, node) : 0,
      ];
    });
    expect(answers(unread), `seed ${seed}`).toEqual(byCalls);
    expect(answers(read), `seed ${seed}`).toEqual(byCalls);
  }
});

test('after nodes and host ports have changed, verdicts are those that are made anew', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const prng = new Prng(seed);
    const world = newWorld(prng, [door, ports]);
    const { cluster } = world;
    const verdicts = world.verdictsOf(pod);
    verdicts.sync();
    for (let step = 0; step < 12; step++) {
      for (let changes = prng.below(4); changes >= 0; changes--) {
        const node = cluster.nodeAt(prng.below(cluster.slotCount));
        if (node === undefined) continue;
        const images = Object.fromEntries(['app', 'web'].filter(() => prng.below(2) === 0).map((name) => [name, 1]));
        const labels = { ...(prng.below(2) === 0 && { door: 'shut' }), ...(prng.below(2) === 0 && { zone: 'b' }) };
        const [first] = node.pods;
        if (prng.below(3) === 0) cluster.updateNode(makeNode(node.name, { labels, images }));
        else if (first !== undefined && prng.below(2) === 0) cluster.pods.remove(first.namespace, first.name);
        else cluster.pods.add(makePod(`s${step}-${changes}`, { nodeName: node.name, ports: [{ hostPort: 80 }] }));
      }
      cluster.updateSnapshot();
      verdicts.sync();
      const anew = world.verdictsOf(pod);
      anew.sync();
      for (let slot = 0; slot < cluster.slotCount; slot++) {
        const [id, idAnew] = [verdicts.ids.values[slot] ?? -1, anew.ids.values[slot] ?? -1];
        expect(verdicts.verdict(slot)?.status, `seed ${seed}`).toEqual(anew.verdict(slot)?.status);
        expect(verdicts.rawOfId('Share', id), `seed ${seed}`).toBe(anew.rawOfId('Share', idAnew));
      }
    }
  }
});
