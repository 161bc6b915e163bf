import { describe, expect, test } from 'vitest';
import { Scheduler } from '../../src/index.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

describe('changes', () => {
  test('come in their order, from the call on, until the scheduler is closed', async () => {
    const scheduler = new Scheduler();
    scheduler.addNode(makeNode('before', { unschedulable: true }));
    const changes = scheduler.changes();
    const node = makeNode('n', { allocatable: { cpu: '4', memory: '8Gi', pods: 10 } });
    scheduler.addNode(node);
    scheduler.schedule(makePod('p'));
    scheduler.scheduleBatch([makePod('q')]);
    scheduler.setObject('Namespace', { metadata: { name: 'x' } });
    scheduler.removeObject('Namespace', 'x');
    scheduler.removePod('default', 'p');
    scheduler.close();
    const read = [];
    for await (const change of changes) read.push(change);
    expect(read.map(({ type }) => type)).toEqual([
      'nodeAdded',
      ...['podScheduled', 'podScheduled'],
      ...['objectSet', 'objectRemoved', 'podRemoved'],
    ]);
    expect(read[0]).toEqual({ type: 'nodeAdded', node });
    expect(read[1]).toMatchObject({ pod: { metadata: { name: 'p' } }, node: 'n' });
  });

  test('reach a reader that waits', async () => {
    const scheduler = new Scheduler();
    const changes = scheduler.changes();
    const next = changes.next();
    scheduler.addNode(makeNode('n'));
    expect(await next).toMatchObject({ done: false, value: { type: 'nodeAdded' } });
    await changes.return?.();
    scheduler.addNode(makeNode('m'));
    expect(await changes.next()).toEqual({ done: true, value: undefined });
  });

  test('are too many for a reader that does not read', async () => {
    const scheduler = new Scheduler();
    const changes = scheduler.changes({ limit: 2 });
    for (const name of ['a', 'b', 'c']) scheduler.addNode(makeNode(name));
    await expect(changes.next()).rejects.toMatchObject({ code: 'Expired' });
    expect(await changes.next()).toMatchObject({ done: true });
  });

  test.each([{ limit: 0 }, { most: 3 }, null])('wrong options are refused: %o', (options) => {
    expect(() => new Scheduler().changes(options as never)).toThrow(expect.objectContaining({ code: 'Invalid' }));
  });
});
