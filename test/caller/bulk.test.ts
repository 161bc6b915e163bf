import { describe, expect, test } from 'vitest';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const onNode = (name: string, nodeName: string) => makePod(name, { spec: { nodeName } });

describe('load', () => {
  test('takes lists, dumps and arrays, whatever their order, and counts what it leaves out', () => {
    const scheduler = new Scheduler();
    const result = scheduler.load([
      { kind: 'PodList', items: [onNode('p', 'n')] },
      {
        kind: 'List',
        items: [
          { kind: 'Deployment' },
          { ...makeNode('n'), kind: 'Node' },
          { kind: 'Namespace', metadata: { name: 'x' } },
        ],
      },
      { ...makePod('q'), kind: 'Pod' },
    ]);
    expect(result).toEqual({ loaded: { Namespace: 1, Node: 1, Pod: 2 }, ignored: { Deployment: 1 } });
    expect(scheduler.node('n')?.pods.length).toBe(1);
    expect(scheduler.has('Namespace', 'x')).toBe(true);
  });

  test('replaces what is known', () => {
    const scheduler = new Scheduler();
    const nodes = { kind: 'NodeList', items: [makeNode('n', { labels: { a: '1' } })] };
    scheduler.load(nodes);
    scheduler.load({ kind: 'NodeList', items: [makeNode('n', { labels: { a: '2' } })] });
    expect(scheduler.nodes().map(({ node }) => node.metadata?.labels)).toEqual([{ a: '2' }]);
  });

  test.each<[string, unknown, string]>([
    ['null', null, 'objects: must be an object or a list'],
    ['a bad member', [{ kind: 'Node', metadata: { name: 'n' } }, null], 'objects[1]: must be'],
    ['an object without a kind', { items: [{ metadata: { name: 'n' } }] }, 'objects.items[0]: it has no kind'],
    [
      'a bad pod',
      [
        { ...makeNode('n'), kind: 'Node' },
        { kind: 'Pod', metadata: { name: 3 } },
      ],
      'metadata.name',
    ],
  ])('refuses %s, and takes nothing', (_, objects, message) => {
    const scheduler = new Scheduler();
    expect(() => scheduler.load(objects as object)).toThrow(
      expect.objectContaining({ code: 'Invalid', message: expect.stringContaining(message) }),
    );
    expect(scheduler.nodes()).toEqual([]);
  });
});

/** An informer whose events the test makes. */
class FakeInformer {
  readonly handlers: [string, (object: object) => void][] = [];

  on(verb: string, handler: (object: object) => void): void {
    this.handlers.push([verb, handler]);
  }

  off(verb: string, handler: (object: object) => void): void {
    const at = this.handlers.findIndex(([v, h]) => v === verb && h === handler);
    this.handlers.splice(at, 1);
  }

  emit(verb: string, object: object): void {
    for (const [of, handler] of this.handlers) if (of === verb) handler(object);
  }
}

describe('attach', () => {
  test('follows informers until it is ended', () => {
    const scheduler = new Scheduler();
    const informers = { Node: new FakeInformer(), Pod: new FakeInformer(), Service: new FakeInformer() };
    const detach = scheduler.attach(informers);
    informers.Pod.emit('add', onNode('p', 'n'));
    informers.Node.emit('add', makeNode('n'));
    informers.Node.emit('update', makeNode('n', { labels: { a: 'b' } }));
    informers.Service.emit('add', { metadata: { name: 's', namespace: 'x' } });
    expect(scheduler.node('n')).toMatchObject({ node: { metadata: { labels: { a: 'b' } } }, pods: [{}] });
    informers.Service.emit('delete', { metadata: { name: 's', namespace: 'x' } });
    informers.Pod.emit('delete', onNode('p', 'n'));
    informers.Pod.emit('delete', onNode('p', 'n'));
    expect([scheduler.has('Service', 's', 'x'), scheduler.pods()]).toEqual([false, []]);
    detach();
    informers.Node.emit('delete', makeNode('n'));
    expect([scheduler.has('Node', 'n'), informers.Node.handlers]).toEqual([true, []]);
  });

  test('hands over what is refused', () => {
    const scheduler = new Scheduler();
    const Node = new FakeInformer();
    const refused: unknown[] = [];
    scheduler.attach({ Node }, { onError: (error, kind) => refused.push([kind, (error as { code: string }).code]) });
    Node.emit('add', { metadata: { name: 'n' }, status: { allocatable: { cpu: 'many' } } });
    expect(refused).toEqual([['Node', 'Invalid']]);
  });

  test('follows all informers, or none', () => {
    const Node = new FakeInformer();
    const Pod = {
      on: () => {
        throw new Error('not today');
      },
    };
    expect(() => new Scheduler().attach({ Node, Pod })).toThrow('informers.Pod: cannot be followed: not today');
    expect(Node.handlers).toEqual([]);
    expect(() => new Scheduler().attach({ Node }, { onError: 7 as never })).toThrow(
      'option onError: must be a function',
    );
  });

  test.each([null, { Node: {} }, { Table: new FakeInformer() }, { Node: { on: () => {}, off: 'no' } }])(
    'refuses %o',
    (informers) => {
      expect(() => new Scheduler().attach(informers as never)).toThrow(expect.objectContaining({ code: 'Invalid' }));
    },
  );
});
