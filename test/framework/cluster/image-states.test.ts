import { describe, expect, test } from 'vitest';
import { areSame, ImageStates } from '../../../src/framework/image-states.ts';
import { makeNode } from '../../builders/make-node.ts';

describe('ImageStates', () => {
  test('counts the nodes that hold an image; what was asked before stays as it was', () => {
    const images = new ImageStates();
    const first = images.addNode(makeNode('n1', { images: { app: 10, db: 20 } }));
    const before = images.statesOf(first);
    const second = images.addNode(makeNode('n2', { images: { app: 10 } }));
    expect(before.get('app')).toEqual({ sizeBytes: 10, nodeCount: 1 });
    expect(images.statesOf(second).get('app')).toEqual({ sizeBytes: 10, nodeCount: 2 });
    expect(areSame(before, images.statesOf(first))).toBe(false);
    images.removeNode(second);
    expect(areSame(before, images.statesOf(first))).toBe(true);
  });

  test('the size is that of the first node that reported the image', () => {
    const images = new ImageStates();
    images.addNode(makeNode('n1', { images: { app: 10 } }));
    const second = images.addNode(makeNode('n2', { images: { app: 99 } }));
    expect(images.statesOf(second).get('app')?.sizeBytes).toBe(10);
  });

  test('a name that a node lists twice counts once', () => {
    const images = new ImageStates();
    const node = { status: { images: [{ names: ['app', 'app'] }, { names: ['app', 'alias'], sizeBytes: 7 }, {}] } };
    const onNode = images.addNode(node);
    expect(onNode.names).toEqual(['app', 'alias']);
    expect(images.statesOf(onNode).get('app')).toEqual({ sizeBytes: 0, nodeCount: 1 });
  });

  test('an image is forgotten with its last holder, and may then have another size', () => {
    const images = new ImageStates();
    const onFirst = images.addNode(makeNode('n1', { images: { app: 10 } }));
    const onSecond = images.addNode(makeNode('n2', { images: { app: 10 } }));
    images.removeNode(onFirst);
    expect(images.has('app')).toBe(true);
    images.removeNode(onSecond);
    expect(images.has('app')).toBe(false);
    const onThird = images.addNode(makeNode('n3', { images: { app: 30 } }));
    expect(images.statesOf(onThird).get('app')).toEqual({ sizeBytes: 30, nodeCount: 1 });
  });

  test('versions record since when an image is as it is; a node that is replaced by its like changes nothing', () => {
    const images = new ImageStates();
    const first = images.addNode(makeNode('n1', { images: { app: 10, db: 20 } }));
    const second = images.addNode(makeNode('n2', { images: { app: 10 } }));
    const { version } = images;
    expect(images.since('db')).toBeLessThan(images.since('app'));
    expect(images.replaceNode(first, makeNode('n1', { images: { app: 10, db: 20 } })).names).toEqual(first.names);
    expect([images.version, images.since('app')]).toEqual([version, version]);
    images.replaceNode(second, makeNode('n2', { images: { web: 5 } }));
    expect(images.version).toBeGreaterThan(version);
    expect(images.since('app')).toBeGreaterThan(version);
    expect(images.since('db')).toBeLessThan(version);
    expect(images.since('app-of-nobody')).toBe(0);
  });

  test('the only holder of an image has the last word about its size', () => {
    const images = new ImageStates();
    const first = images.addNode(makeNode('n1', { images: { app: 10 } }));
    const second = images.addNode(makeNode('n2', { images: { app: 99 } }));
    images.removeNode(first);
    const { version } = images;
    images.replaceNode(second, makeNode('n2', { images: { app: 99 } }));
    expect(images.statesOf(second).get('app')).toEqual({ sizeBytes: 99, nodeCount: 1 });
    expect(images.version).toBeGreaterThan(version);
  });
});
