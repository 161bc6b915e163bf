import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/api/pod.ts';
import { ClusterState } from '../../../src/framework/cluster/cluster-state.ts';
import { podRequirements } from '../../../src/framework/pod-info.ts';
import {
  lowerUnits,
  sortUnits,
  splitByBudgets,
  type VictimUnit,
} from '../../../src/plugins/default-preemption/group-victims.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';

function pod(name: string, priority: number, podGroupName = '', startTime = '2026-01-01T00:00:00Z'): Pod {
  const { metadata, spec } = makePod(name);
  const schedulingGroup = podGroupName === '' ? undefined : { podGroupName };
  return {
    metadata: { ...metadata, labels: { app: name } },
    spec: { ...spec, nodeName: 'n', priority, schedulingGroup },
    status: { startTime },
  };
}

function clusterOf(pods: readonly Pod[]): ClusterState {
  const cluster = new ClusterState(podRequirements);
  cluster.addNode(makeNode('n'));
  cluster.objects.set('PodGroup', { metadata: { name: 'whole' }, spec: { disruptionMode: 'PodGroup', priority: 3 } });
  cluster.objects.set('PodGroup', { metadata: { name: 'parts' }, spec: { disruptionMode: 'Pod', priority: 9 } });
  for (const each of pods) cluster.pods.add(each);
  return cluster;
}

const namesOf = (units: readonly VictimUnit[]): string[] =>
  units.map(({ pods }) => pods.map(({ name }) => name).join('+'));

describe('the victims of a group', () => {
  it('are single pods, and whole groups that want to go together, of lower priority', () => {
    const pods = [pod('a', 1), pod('b', 8, 'whole'), pod('c', 0, 'parts'), pod('d', 0, 'whole'), pod('e', 5)];
    const cluster = clusterOf(pods);
    expect(namesOf(lowerUnits(cluster.knownNodes(), cluster.objects, 5))).toEqual(['a', 'b+d', 'c']);
    expect(namesOf(lowerUnits(cluster.knownNodes(), cluster.objects, 3))).toEqual(['a', 'c']);
  });

  it('are ordered by priority, then groups before pods, larger groups, and earlier starts', () => {
    const late = '2026-01-02T00:00:00Z';
    const pods = [pod('a', 3, '', late), pod('b', 3), pod('c', 0, 'whole'), pod('d', 0, 'whole'), pod('e', 3, 'parts')];
    const cluster = clusterOf([...pods, pod('f', 4)]);
    const units = lowerUnits(cluster.knownNodes(), cluster.objects, 10);
    sortUnits(units);
    expect(namesOf(units)).toEqual(['f', 'c+d', 'e', 'b', 'a']);
  });

  it('violate a budget as soon as one pod of the unit does', () => {
    const cluster = clusterOf([pod('c', 0, 'whole'), pod('d', 0, 'whole'), pod('a', 1)]);
    cluster.objects.set('PodDisruptionBudget', {
      metadata: { name: 'x' },
      spec: { selector: { matchLabels: { app: 'd' } } },
      status: { disruptionsAllowed: 0 },
    });
    const units = lowerUnits(cluster.knownNodes(), cluster.objects, 10);
    const { violating, nonViolating } = splitByBudgets(units, cluster.objects);
    expect([namesOf(violating), namesOf(nonViolating)]).toEqual([['c+d'], ['a']]);
  });
});
