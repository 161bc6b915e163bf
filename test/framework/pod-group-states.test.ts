import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import { PodGroupStates } from '../../src/framework/pod-group-states.ts';
import { makePodInfo } from '../builders/make-cluster.ts';
import { makePod } from '../builders/make-pod.ts';

function member(name: string, podGroupName = 'g'): Pod {
  const pod = makePod(name);
  return { ...pod, metadata: { ...pod.metadata, uid: name }, spec: { ...pod.spec, schedulingGroup: { podGroupName } } };
}

const namesIn = (states: PodGroupStates): (string | undefined)[] =>
  states
    .get('default', 'g')
    .unscheduledPods()
    .map(({ metadata }) => metadata?.name);

describe('the pods of a group', () => {
  it('are counted, with and without a node, in the order of arrival', () => {
    const states = new PodGroupStates();
    for (const name of ['c', 'a', 'b']) states.add(member(name));
    states.add(makePod('alone'));
    states.scheduled(makePodInfo(member('a')));
    const { podCount, scheduledCount } = states.get('default', 'g');
    expect([podCount, scheduledCount, namesIn(states)]).toEqual([3, 1, ['c', 'b']]);
    states.unscheduled(makePodInfo(member('a')));
    states.add(member('c'));
    expect(namesIn(states)).toEqual(['c', 'a', 'b']);
  });

  it('are forgotten when they are gone, and so is the group', () => {
    const states = new PodGroupStates();
    states.scheduled(makePodInfo(member('a')));
    states.remove(member('a'));
    states.remove(member('a'));
    expect(states.get('default', 'g')).toMatchObject({ podCount: 0, scheduledCount: 0 });
  });

  it('are copied, and the copy is on its own', () => {
    const [states, copy] = [new PodGroupStates(), new PodGroupStates()];
    states.scheduled(makePodInfo(member('a')));
    copy.copyFrom(states);
    states.unscheduled(makePodInfo(member('a')));
    expect(copy.get('default', 'g').scheduledCount).toBe(1);
  });
});
