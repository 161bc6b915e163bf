import { describe, expect, it } from 'vitest';
import { Scheduler } from '../../src/core/scheduler.ts';
import { failure, pending, skip, unresolvable, unschedulable, wait } from '../../src/embedding/statuses.ts';
import { withPlugins } from '../../src/embedding/with-plugins.ts';
import type { PluginFactory } from '../../src/framework/user-plugin.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';

const newRack: PluginFactory = (args) => {
  const { reserved } = (args ?? {}) as { readonly reserved?: string };
  return {
    name: 'Rack',
    filter: (_state, _pod, { node }) =>
      node.metadata?.labels?.['rack'] === reserved ? unresolvable('the rack is reserved') : null,
    score: (_state, _pod, { node }) => (node.metadata?.name === 'c' ? 100 : 0),
  };
};

describe('withPlugins', () => {
  it('enables plugins with weight and arguments beside the default ones', () => {
    using scheduler = new Scheduler(withPlugins({ Rack: newRack }, { Rack: { weight: 7, args: { reserved: 'r1' } } }));
    scheduler.addNode(makeNode('a', { labels: { rack: 'r1' } }));
    scheduler.addNode(makeNode('b', { labels: { rack: 'r2' } }));
    scheduler.addNode(makeNode('c', { labels: { rack: 'r2' } }));
    const { nodes, best } = scheduler.explain(makePod('web', { requests: { cpu: 1 } }));
    expect(nodes.find(({ node }) => node === 'a')?.rejected).toEqual({
      code: 'UnschedulableAndUnresolvable',
      reasons: ['the rack is reserved'],
      plugin: 'Rack',
    });
    const scores = nodes.find(({ node }) => node === 'c')?.scores ?? [];
    expect(scores).toContainEqual({ plugin: 'Rack', raw: 100, normalized: 100, weighted: 700 });
    expect(scores.map(({ plugin }) => plugin)).toContain('NodeResourcesFit');
    expect(best).toEqual(['c']);
  });

  it('has weight 1 and no arguments otherwise', () => {
    const { configuration } = withPlugins({ Rack: newRack });
    using scheduler = new Scheduler({ plugins: { Rack: newRack }, configuration });
    scheduler.addNode(makeNode('b', { labels: { rack: 'r1' } }));
    scheduler.addNode(makeNode('c', { labels: { rack: 'r1' } }));
    const { nodes } = scheduler.explain(makePod('web'));
    expect(nodes[1]?.scores).toContainEqual({ plugin: 'Rack', raw: 100, normalized: 100, weighted: 100 });
  });

  it('refuses settings of strangers, and those that a configuration refuses', () => {
    expect(() => withPlugins({ Rack: newRack }, { Rock: {} })).toThrow('settings of Rock: there is no such plugin');
    expect(() => withPlugins({ Rack: newRack }, { Rack: { weight: 1.5 } })).toThrow(/weight/);
  });
});

it('statuses have upstream’s codes', () => {
  expect(unschedulable('a', 'b')).toEqual({ code: 'Unschedulable', reasons: ['a', 'b'] });
  expect(unresolvable('a')).toEqual({ code: 'UnschedulableAndUnresolvable', reasons: ['a'] });
  expect(pending('a')).toEqual({ code: 'Pending', reasons: ['a'] });
  expect(skip()).toEqual({ code: 'Skip', reasons: [] });
  expect(wait(5000)).toEqual({ code: 'Wait', reasons: [], timeoutMillis: 5000 });
  expect(failure('broken')).toEqual({ code: 'Error', reasons: ['broken'] });
});
