import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NodeVerdicts } from '../../../src/engine/verdicts/node-verdicts.ts';
import type { FilterPlugin, ScorePlugin } from '../../../src/framework/plugin.ts';
import { unschedulable } from '../../../src/framework/status.ts';
import { podImages } from '../../../src/plugins/image-locality/plugin.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { runs } from '../../builders/runs.ts';

const numRuns = runs(200);
const IMAGES = ['app', 'web', 'base'].map((name) => `registry.example.com/${name}:v1`);
const LARGE = 900 * 1024 * 1024;

/** Rejects nodes by a label, and counts how often it is asked. */
function door(asked: string[]): FilterPlugin {
  return {
    ...{ name: 'Door', filterReads: 'node', looksAt: () => ({ taints: false, labels: ['door'] }) },
    filter: (_state, _pod, { name, node }) => {
      asked.push(name);
      const state = node.metadata?.labels?.['door'] ?? '';
      return state === '' ? null : unschedulable('Door', state);
    },
  };
}

const stars: ScorePlugin = {
  ...{ name: 'Stars', scoreReads: 'node', looksAt: () => ({ taints: false, labels: ['stars'] }) },
  normalize: { reverse: false },
  score: (_state, _pod, { node }) => Number(node.metadata?.labels?.['stars'] ?? 0),
};

const share: ScorePlugin = {
  ...{ name: 'Share', scoreReads: 'images', scoredImages: podImages },
  score: (_state, { pod }, { images }) => podImages(pod).filter((image) => images.has(image)).length * 10,
};

const arbitraryNode = fc.record({
  door: fc.constantFrom('', '', 'shut', 'locked'),
  stars: fc.constantFrom('0', '1', '7'),
  images: fc.subarray(IMAGES),
});

function nodeOf(i: number, { door, stars, images }: { door: string; stars: string; images: readonly string[] }) {
  const sizes = Object.fromEntries(images.map((image) => [image, LARGE]));
  return makeNode(`n${i}`, { labels: { door, stars }, images: sizes });
}

/** A world of nodes in which pods are told apart by their images. */
function start() {
  const asked: string[] = [];
  const world = new EngineColumns({ plugins: [door(asked), stars, share] });
  const verdictsOf = (images: readonly string[], like: NodeVerdicts | null = null): NodeVerdicts => {
    const containers = images.map((image, i) => ({ name: `c${i}`, image }));
    const pod = { ...makePod('p'), spec: { containers } };
    return world.verdictsOf(pod, world.preFiltered(pod), like);
  };
  return { world, asked, verdictsOf };
}

/** What pods are told about each node. */
function answersOf(verdicts: NodeVerdicts, slotCount: number) {
  return Array.from({ length: slotCount }, (_, slot) => {
    const id = verdicts.ids.values[slot] ?? 0;
    const scores = ['Stars', 'Share'].map((name) => verdicts.rawOfId(name, id));
    return [verdicts.accepts(id), verdicts.verdict(slot)?.status.reasons, ...scores];
  });
}

test('verdicts from those of pods with other images are those that all plugins give', () => {
  const arbitrary = fc.record({
    nodes: fc.array(arbitraryNode, { minLength: 1, maxLength: 20 }),
    removed: fc.array(fc.nat(19), { maxLength: 3 }),
    first: fc.subarray(IMAGES, { minLength: 1 }),
    second: fc.subarray(IMAGES, { minLength: 1 }),
    between: fc.array(fc.tuple(fc.nat(19), arbitraryNode), { maxLength: 4 }),
    repeated: fc.constantFrom(1, 1, 30),
    after: fc.array(fc.tuple(fc.nat(19), arbitraryNode), { maxLength: 4 }),
    isReleased: fc.boolean(),
  });
  fc.assert(
    fc.property(arbitrary, ({ nodes, removed, first, second, between, repeated, after, isReleased }) => {
      const { world, verdictsOf } = start();
      const { cluster } = world;
      world.add(...nodes.map((node, i) => nodeOf(i, node)));
      for (const at of new Set(removed)) if (at < nodes.length) cluster.removeNode(`n${at}`);
      const change = (changes: typeof between): void => {
        for (const [at, node] of changes) if (cluster.node(`n${at}`)) cluster.updateNode(nodeOf(at, node));
        cluster.updateSnapshot();
      };
      const like = verdictsOf(first);
      like.sync();
      for (let i = 0; i < repeated; i++) change(between);
      const [taken, made] = [verdictsOf(second, like), verdictsOf(second)];
      if (isReleased) like.release();
      for (const verdicts of [taken, made]) verdicts.sync();
      expect(answersOf(taken, cluster.slotCount)).toEqual(answersOf(made, cluster.slotCount));
      change(after);
      for (const verdicts of [taken, made]) verdicts.sync();
      expect(answersOf(taken, cluster.slotCount)).toEqual(answersOf(made, cluster.slotCount));
    }),
    { numRuns },
  );
});

describe('filters', () => {
  const nodes = ['', 'shut', ''].map((door, i) => nodeOf(i, { door, stars: String(i), images: IMAGES.slice(i) }));

  test('are not asked for a pod that differs in images alone', () => {
    const { world, asked, verdictsOf } = start();
    world.add(...nodes);
    const like = verdictsOf(['app']);
    like.sync();
    expect(asked.splice(0)).not.toEqual([]);
    verdictsOf(IMAGES, like).sync();
    expect(asked).toEqual([]);
  });

  test('are asked again if other verdicts were given up, or have failed', () => {
    const { world, asked, verdictsOf } = start();
    world.add(...nodes);
    const released = verdictsOf(['app']);
    released.sync();
    released.release();
    asked.length = 0;
    verdictsOf(IMAGES, released).sync();
    expect(asked.splice(0)).not.toEqual([]);
    verdictsOf(IMAGES, verdictsOf(['app'])).sync();
    expect(asked).not.toEqual([]);
  });
});
