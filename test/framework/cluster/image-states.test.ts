import { describe, expect, test } from 'vitest';
import { ImageStates } from '../../../src/framework/image-states.ts';
import { makeNode } from '../../builders/make-node.ts';

describe('ImageStates', () => {
  test('counts the nodes that hold an image, and all of them see it', () => {
    const images = new ImageStates();
    const first = images.addNode(makeNode('n1', { images: { app: 10, db: 20 } }));
    const second = images.addNode(makeNode('n2', { images: { app: 10 } }));
    expect(first.get('app')).toEqual({ sizeBytes: 10, nodeCount: 2 });
    expect(second.get('app')).toBe(first.get('app'));
    expect(first.get('db')?.nodeCount).toBe(1);
  });

  test('the size is that of the first node that reported the image', () => {
    const images = new ImageStates();
    images.addNode(makeNode('n1', { images: { app: 10 } }));
    expect(images.addNode(makeNode('n2', { images: { app: 99 } })).get('app')?.sizeBytes).toBe(10);
  });

  test('a name that a node lists twice counts once', () => {
    const images = new ImageStates();
    const node = { status: { images: [{ names: ['app', 'app'] }, { names: ['app', 'alias'], sizeBytes: 7 }, {}] } };
    const onNode = images.addNode(node);
    expect([...onNode.keys()]).toEqual(['app', 'alias']);
    expect(onNode.get('app')).toEqual({ sizeBytes: 0, nodeCount: 1 });
  });

  test('an image is forgotten with its last holder, and may then have another size', () => {
    const images = new ImageStates();
    const onFirst = images.addNode(makeNode('n1', { images: { app: 10 } }));
    const onSecond = images.addNode(makeNode('n2', { images: { app: 10 } }));
    images.removeNode(onFirst);
    expect(images.has('app')).toBe(true);
    images.removeNode(onSecond);
    expect(images.has('app')).toBe(false);
    expect(images.addNode(makeNode('n3', { images: { app: 30 } })).get('app')).toEqual({ sizeBytes: 30, nodeCount: 1 });
  });

  test('the version changes with every node, even one without images: scores divide by the number of nodes', () => {
    const images = new ImageStates();
    const versions = [images.version];
    const onNode = images.addNode(makeNode('n1'));
    versions.push(images.version);
    images.removeNode(onNode);
    versions.push(images.version);
    expect(new Set(versions).size).toBe(3);
  });
});
