import { describe, expect, test } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ImageLocality } from '../../../src/plugins/image-locality/plugin.ts';
import { makeCluster } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { rawScore } from '../ask-plugin.ts';

const MEBIBYTE = 2 ** 20;
const holding = (name: string, mebibytes: number, image = 'app:latest'): Node =>
  makeNode(name, { images: { [image]: mebibytes * MEBIBYTE } });

/** How many containers the score depends on, and on which images. */
const dependsOn = (pod: Pod) => new ImageLocality(makeCluster([])).dependsOn(pod);

/** Scores of the nodes of a cluster, in order. */
function scores(pod: Pod, nodes: readonly Node[]): (number | string)[] {
  const cluster = makeCluster(nodes);
  const plugin = new ImageLocality(cluster);
  return cluster.nodeInfos().map((node) => rawScore(plugin, pod, node));
}

describe('ImageLocality', () => {
  test.each([
    [0, 0],
    [23, 0],
    [32, 0],
    [33, 1],
    [511, 49],
    [512, 50],
    [999, 99],
    [1000, 100],
    [5000, 100],
  ])('%i MiB of the one image score %i', (mebibytes, score) => {
    expect(scores(makePod('p'), [holding('n', mebibytes)])).toEqual([score]);
  });

  test('an image counts by the share of nodes that hold it', () => {
    const nodes = [holding('a', 1000), holding('b', 1000), makeNode('c'), makeNode('d')];
    // 500 MiB: (500 - 23) * 100 / 977
    expect(scores(makePod('p'), nodes)).toEqual([48, 48, 0, 0]);
  });

  test('the upper threshold counts containers and init containers, not image volumes', () => {
    const node = holding('n', 1000);
    const app = { image: 'app' };
    expect(scores(makePod('p', { spec: { containers: [app, { image: 'x' }] } }), [node])).toEqual([49]);
    expect(scores(makePod('p', { spec: { containers: [app], initContainers: [{ image: 'x' }] } }), [node])).toEqual([
      49,
    ]);
    const volumes = [{ image: { reference: 'app' } }];
    expect(scores(makePod('p', { spec: { containers: [{ image: 'x' }], volumes } }), [node])).toEqual([100]);
  });

  test('a pod without containers does not divide by less than nothing', () => {
    expect(scores(makePod('p', { spec: { containers: [] } }), [holding('n', 1000)])).toEqual([0]);
  });

  test.each([
    ['app', 'app:latest'],
    ['app:1', 'app:1'],
    ['host:5000/app', 'host:5000/app:latest'],
    ['host:5000/app:1', 'host:5000/app:1'],
    ['app@sha256:00', 'app@sha256:00'],
  ])('%s is known to kubelets as %s', (image, name) => {
    expect(dependsOn(makePod('p', { image }))).toEqual([1, [name]]);
  });

  test('init containers come first, then containers, then volumes, as often as they occur', () => {
    const spec = {
      containers: [{ image: 'b' }, { image: 'b' }],
      initContainers: [{ image: 'a' }],
      volumes: [{ name: 'data' }, { image: { reference: 'c:1' } }],
    };
    expect(dependsOn(makePod('p', { spec }))).toEqual([3, ['a:latest', 'b:latest', 'b:latest', 'c:1']]);
  });

  test('asks for other columns when the threshold differs, though the images are the same', () => {
    const [a, b] = [{ image: 'a' }, { image: 'b' }];
    const withInit = makePod('p', { spec: { initContainers: [a], containers: [b] } });
    const withVolume = makePod('p', { spec: { containers: [a], volumes: [{ image: { reference: 'b' } }] } });
    expect(dependsOn(withInit)).toEqual([2, ['a:latest', 'b:latest']]);
    expect(dependsOn(withVolume)).toEqual([1, ['a:latest', 'b:latest']]);
  });
});
