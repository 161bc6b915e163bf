import { describe, expect, it } from 'vitest';
import { NominatedPods } from '../../../src/framework/cluster/nominated-pods.ts';
import { Nominator } from '../../../src/scheduler/queue/nominator.ts';
import { makePodInfo } from '../../builders/make-cluster.ts';
import { pendingPod, pendingPodInfo } from '../../builders/make-queue.ts';

function newNominator(isPending = true): { nominator: Nominator; onNode: (name: string) => string[] } {
  const seen = new NominatedPods(() => {});
  const nominator = new Nominator(seen, () => isPending);
  return { nominator, onNode: (name) => seen.forNode(name).map((pod) => pod.name) };
}

const nominatedBy = (nodeName: string) => pendingPod('p', 0, { status: { nominatedNodeName: nodeName } });

describe('Nominator', () => {
  it('keeps room for one pod on one node', () => {
    const { nominator, onNode } = newNominator();
    nominator.add('p', pendingPodInfo('p'), { nodeName: 'n1' });
    nominator.add('p', pendingPodInfo('p'), { nodeName: 'n2' });
    expect([onNode('n1'), onNode('n2')]).toEqual([[], ['p']]);
    nominator.delete('p');
    expect(onNode('n2')).toEqual([]);
  });

  it('goes by the status when nothing else is said', () => {
    const { nominator, onNode } = newNominator();
    nominator.add('p', makePodInfo(nominatedBy('n1')), null);
    expect(onNode('n1')).toEqual(['p']);
    nominator.add('p', pendingPodInfo('p'), null);
    expect([onNode('n1'), [...nominator.entries()]]).toEqual([[], []]);
  });

  it('keeps a nomination that the API has not shown yet', () => {
    const { nominator, onNode } = newNominator();
    nominator.add('p', pendingPodInfo('p'), { nodeName: 'n1' });
    nominator.update('p', pendingPod('p'), pendingPodInfo('p'));
    expect(onNode('n1')).toEqual(['p']);
  });

  it('drops one that the API has shown and shows no more', () => {
    const { nominator, onNode } = newNominator();
    nominator.add('p', makePodInfo(nominatedBy('n1')), null);
    nominator.update('p', nominatedBy('n1'), pendingPodInfo('p'));
    expect(onNode('n1')).toEqual([]);
  });

  it('remembers that a nomination was taken back, which keeps no room', () => {
    const { nominator, onNode } = newNominator();
    nominator.add('p', pendingPodInfo('p'), { nodeName: '' });
    expect([...nominator.entries()].map(([pod, node]) => [pod.name, node])).toEqual([['p', '']]);
    expect(onNode('')).toEqual([]);
  });

  it('nominates nobody who is gone or has a node', () => {
    const { nominator, onNode } = newNominator(false);
    nominator.add('p', pendingPodInfo('p'), { nodeName: 'n1' });
    expect(onNode('n1')).toEqual([]);
  });
});
