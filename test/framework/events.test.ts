import { describe, expect, it, test } from 'vitest';
import {
  ActionType,
  clusterEvent,
  EVENT_FORCE_ACTIVATE,
  EVENT_UNSCHEDULED_POD_UPDATE,
  EVERY_EVENT,
  type EventResource,
  isWildCard,
  matchesEvent,
} from '../../src/framework/events.ts';

const { Add, Delete, Update, UpdateNodeLabel, UpdateNodeTaint, UpdatePodLabel, UpdatePodOther, All } = ActionType;

type Event = readonly [resource: EventResource, action: number];

test.each<[Event, Event, boolean]>([
  [['Node', Add], ['Node', Add], true],
  [['Node', Add | UpdateNodeLabel], ['Node', UpdateNodeLabel], true],
  [['Node', Add | UpdateNodeLabel], ['Node', UpdateNodeTaint], false],
  [['Node', Add], ['Pod', Add], false],
  [['Pod', Delete], ['AssignedPod', Delete], true],
  [['Pod', Update], ['UnschedulablePod', UpdatePodOther], true],
  [['Pod', UpdatePodLabel], ['UnschedulablePod', UpdatePodOther], false],
  [['AssignedPod', Add], ['UnschedulablePod', Add], false],
  [['storage.k8s.io/CSINode', Add | Update], ['storage.k8s.io/CSINode', Update], true],
  [['PersistentVolume', Add], ['PersistentVolume', Update], false],
  [['*', All], ['Node', Delete], true],
  [['Node', All], ['*', All], false],
])('registered %j, incoming %j: %s', (registered, incoming, expected) => {
  expect(matchesEvent(clusterEvent(...registered), clusterEvent(...incoming))).toBe(expected);
});

describe('clusterEvent', () => {
  it.each<[Event, string]>([
    [['Node', Add], 'NodeAdd'],
    [['AssignedPod', UpdatePodLabel], 'AssignedPodUpdatePodLabel'],
    [['storage.k8s.io/CSINode', Update], 'storage.k8s.io/CSINodeUpdate'],
    [['Node', Add | UpdateNodeTaint], 'NodeAdd|UpdateNodeTaint'],
  ])('calls %j %s', (event, label) => {
    expect(clusterEvent(...event).label).toBe(label);
  });

  it('calls an update without news of its own a plain update', () => {
    expect(EVENT_UNSCHEDULED_POD_UPDATE.label).toBe('UnschedulablePodUpdate');
  });

  it('distinguishes events about everything from all events of one kind', () => {
    expect([isWildCard(EVENT_FORCE_ACTIVATE), isWildCard(clusterEvent('Node', All))]).toEqual([true, false]);
    expect(EVERY_EVENT.some(({ event }) => isWildCard(event))).toBe(false);
  });
});
