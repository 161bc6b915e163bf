import { describe, expect, it, test } from 'vitest';
import {
  ActionType,
  clusterEvent,
  EVENT_FORCE_ACTIVATE,
  EVENT_UNSCHEDULABLE_TIMEOUT,
  type QueueingHint,
} from '../../../src/framework/events.ts';
import type { Plugin } from '../../../src/framework/plugin.ts';
import { QueuedPodInfo } from '../../../src/scheduler/queue/queued-pod-info.ts';
import { QueueingHints } from '../../../src/scheduler/queue/queueing-hints.ts';
import { NODE_ADD, pendingPod, pendingPodInfo } from '../../builders/make-queue.ts';

const NODE_TAINT = clusterEvent('Node', ActionType.UpdateNodeTaint);

function plugin(name: string, hint?: () => QueueingHint, event = NODE_ADD): Plugin {
  return { name, eventsToRegister: () => [hint === undefined ? { event } : { event, hint }] };
}

function hintsOf(...plugins: readonly Plugin[]): QueueingHints {
  return new QueueingHints([['default-scheduler', plugins]]);
}

function rejectedBy(plugins: readonly string[], pendingPlugins: readonly string[] = []): QueuedPodInfo {
  const pod = new QueuedPodInfo(pendingPodInfo('p'), 0, 0);
  pod.unschedulablePlugins = new Set(plugins);
  pod.pendingPlugins = new Set(pendingPlugins);
  return pod;
}

const fails = (): never => {
  throw new Error('no idea');
};

test.each([
  ['a hint that says Queue', rejectedBy(['Yes']), 'QueueAfterBackoff'],
  ['a hint that says QueueSkip', rejectedBy(['No']), 'Skip'],
  ['one of several', rejectedBy(['No', 'Yes']), 'QueueAfterBackoff'],
  ['no hint', rejectedBy(['Any']), 'QueueAfterBackoff'],
  ['a hint that fails', rejectedBy(['Fails']), 'QueueAfterBackoff'],
  ['another plugin', rejectedBy(['Other']), 'Skip'],
  ['nobody', rejectedBy([]), 'QueueAfterBackoff'],
  ['a plugin that waited', rejectedBy(['Yes'], ['Any']), 'QueueImmediately'],
  ['a plugin that waited for something else', rejectedBy(['Yes'], ['No']), 'QueueAfterBackoff'],
])('rejected by %s', (_who, pod, strategy) => {
  const hints = hintsOf(
    plugin('Yes', () => 'Queue'),
    plugin('No', () => 'QueueSkip'),
    plugin('Any'),
    plugin('Fails', fails),
  );
  expect(hints.strategyFor(pod, NODE_ADD, undefined, {})).toBe(strategy);
});

describe('QueueingHints', () => {
  it('notifies plugins that registered for new nodes of taints as well, unless they registered for taints', () => {
    const hints = hintsOf(
      plugin('New', () => 'QueueSkip'),
      plugin('Taints', () => 'QueueSkip', clusterEvent('Node', ActionType.Add | ActionType.UpdateNodeTaint)),
    );
    expect(hints.strategyFor(rejectedBy(['New']), NODE_TAINT, {}, {})).toBe('QueueAfterBackoff');
    expect(hints.strategyFor(rejectedBy(['Taints']), NODE_TAINT, {}, {})).toBe('Skip');
  });

  it('notifies a plugin without eventsToRegister of everything', () => {
    const hints = hintsOf({ name: 'Silent' });
    expect(hints.isOfInterest(clusterEvent('Node', ActionType.UpdateNodeCondition))).toBe(true);
    expect(hints.strategyFor(rejectedBy(['Silent']), NODE_ADD, undefined, {})).toBe('QueueAfterBackoff');
  });

  it('notifies a plugin that registers for no event of nothing', () => {
    const hints = hintsOf({ name: 'Deaf', eventsToRegister: () => [] });
    expect(hints.isOfInterest(NODE_ADD)).toBe(false);
    expect(hints.eventsOf('Deaf')).toEqual([]);
  });

  it('takes time and activation for a reason for every pod, or for the one that is named', () => {
    const hints = hintsOf(plugin('No', () => 'QueueSkip'));
    const pod = rejectedBy(['No']);
    expect(hints.isOfInterest(EVENT_UNSCHEDULABLE_TIMEOUT)).toBe(true);
    expect(hints.strategyFor(pod, EVENT_UNSCHEDULABLE_TIMEOUT, null, null)).toBe('QueueAfterBackoff');
    expect(hints.strategyFor(pod, EVENT_FORCE_ACTIVATE, null, pendingPod('p'))).toBe('QueueAfterBackoff');
    expect(hints.strategyFor(pod, EVENT_FORCE_ACTIVATE, null, pendingPod('q'))).toBe('Skip');
  });

  it('asks the plugins of the pod’s own profile', () => {
    const hints = new QueueingHints([
      ['default-scheduler', [plugin('Fit', () => 'QueueSkip')]],
      ['other', [plugin('Fit', () => 'Queue')]],
    ]);
    expect(hints.strategyFor(rejectedBy(['Fit']), NODE_ADD, undefined, {})).toBe('Skip');
    expect(hints.eventsOf('Fit')).toHaveLength(4);
  });

  it('takes every event of interest for a reason when hints are not asked', () => {
    const hints = new QueueingHints([['default-scheduler', [plugin('No', () => 'QueueSkip')]]], false);
    expect(hints.strategyFor(rejectedBy(['No']), NODE_ADD, undefined, {})).toBe('QueueAfterBackoff');
  });
});
