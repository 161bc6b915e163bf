import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { podsToDelete } from '../../../src/controllers/replicaset/rank-pods.ts';

interface PodOptions {
  readonly node?: string;
  readonly phase?: string;
  readonly ready?: boolean;
  readonly cost?: string;
  readonly created?: number;
}

function pod(name: string, { node = 'n', phase = 'Running', ready = true, cost, created = 0 }: PodOptions = {}): Pod {
  const time = new Date(created * 1000);
  return {
    metadata: {
      name,
      creationTimestamp: time,
      ...(cost !== undefined && { annotations: { 'controller.kubernetes.io/pod-deletion-cost': cost } }),
    },
    spec: { nodeName: node },
    status: { phase, conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', lastTransitionTime: time }] },
  };
}

const first = (...pods: Pod[]) => podsToDelete(pods, 1, pods, 10_000).map(({ metadata }) => metadata?.name);

describe('podsToDelete', () => {
  it.each([
    ['without a node', pod('b', { node: '' }), pod('a', { phase: 'Pending' })],
    ['pending', pod('b', { phase: 'Pending' }), pod('a', { phase: 'Unknown' })],
    ['unknown', pod('b', { phase: 'Unknown' }), pod('a', { ready: false })],
    ['not ready', pod('b', { ready: false, cost: '9' }), pod('a', { cost: '1' })],
    ['cheap', pod('b', { cost: '-5', created: 1 }), pod('a', { created: 9 })],
    ['of no cost that can be read', pod('b', { cost: 'much' }), pod('a', { cost: '1' })],
    ['younger', pod('b', { created: 9 }), pod('a', { created: 1 })],
  ])('takes first what is %s', (_, goes, stays) => {
    expect(first(goes, stays)).toEqual(['b']);
    expect(first(stays, goes)).toEqual(['b']);
  });

  it('takes first what has neighbours', () => {
    expect(
      first(pod('a', { node: 'x', created: 9 }), pod('b', { node: 'y' }), pod('c', { node: 'y', created: 5 })),
    ).toEqual(['c']);
  });

  it('counts the related pods as neighbours, and no others', () => {
    const [a, b, c] = [pod('a', { node: 'x' }), pod('b', { node: 'y', created: 1 }), pod('c', { node: 'x' })];
    const leaving = { ...c, metadata: { ...c.metadata, deletionTimestamp: new Date(0) } };
    const goes = (related: readonly Pod[]) => podsToDelete([a, b], 1, related, undefined)[0]?.metadata?.name;
    expect(goes([a, b, c])).toBe('a');
    expect(goes([a, b, leaving])).toBe('b');
    expect(goes([])).toBe('b');
  });

  it('takes pods whose ages are of one magnitude by their uids', () => {
    const old = { ...pod('old', { created: 1 }), metadata: { ...pod('old', { created: 1 }).metadata, uid: 'a' } };
    const young = { ...pod('young', { created: 2 }), metadata: { ...pod('young', { created: 2 }).metadata, uid: 'b' } };
    const goes = (nowSeconds: number) => podsToDelete([young, old], 1, [], nowSeconds * 1000)[0]?.metadata?.name;
    expect(goes(2.5)).toBe('young');
    expect(goes(60)).toBe('old');
  });

  it('takes no more than there is', () => {
    expect(podsToDelete([pod('a')], 3, [], 0)).toHaveLength(1);
  });
});
