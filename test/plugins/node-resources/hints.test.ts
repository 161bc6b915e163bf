import { describe, expect, it } from 'vitest';
import type { Node } from '../../../src/api/node.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ActionType } from '../../../src/framework/events.ts';
import { NodeResourcesFit } from '../../../src/plugins/node-resources/fit.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { askHint, known } from '../ask-hint.ts';

const pod = known(makePod('p', { requests: { cpu: 2, 'example.com/gpu': 1 } }));
const other = (cpu: number, nodeName?: string): Pod =>
  known(makePod('other', { requests: { cpu, memory: '1Gi' }, ...(nodeName !== undefined && { nodeName }) }));

describe('NodeResourcesFit: pods', () => {
  it('queues after every deleted pod that took room', () => {
    const ask = (before: Pod) => askHint(new NodeResourcesFit(), ['AssignedPod', ActionType.Delete], pod, { before });
    const nominated = makePod('other', { status: { nominatedNodeName: 'n' } });
    expect([ask(makePod('other', { nodeName: 'n' })), ask(nominated), ask(makePod('other'))]).toEqual([
      ...['Queue', 'Queue', 'QueueSkip'],
    ]);
  });

  it.each<[string, Pod, Pod, string]>([
    ['its own scale-down', pod, pod, 'Queue'],
    ['one that leaves what the pod asks for', other(2, 'n'), other(1, 'n'), 'Queue'],
    [
      'one that leaves something else',
      known(makePod('other', { requests: { cpu: 1, memory: 2 }, nodeName: 'n' })),
      other(1, 'n'),
      'QueueSkip',
    ],
    ['one of a pod without a node', other(2), other(1), 'QueueSkip'],
  ])('scale-down: %s', (_what, before, after, hint) => {
    const event = ['AssignedPod', ActionType.UpdatePodScaleDown] as const;
    expect(askHint(new NodeResourcesFit(), event, pod, { before, after })).toBe(hint);
  });
});

describe('NodeResourcesFit: nodes', () => {
  const node = (cpu: number, gpus: number, pods = 10): Node =>
    makeNode('n', { cpu, pods, allocatable: { 'example.com/gpu': gpus } });

  it.each<[string, Node | undefined, Node, string]>([
    ['a new node that is large enough', undefined, node(2, 1), 'Queue'],
    ['a new node that is too small', undefined, node(1, 1), 'QueueSkip'],
    ['grown in what the pod asks for', node(2, 0), node(2, 1), 'Queue'],
    ['grown, and still too small', node(1, 0), node(1, 1), 'QueueSkip'],
    ['large enough, and not grown', node(4, 1), node(2, 1), 'QueueSkip'],
    ['room for more pods', node(2, 1, 10), node(2, 1, 11), 'Queue'],
    [
      'grown in something else',
      node(2, 1),
      makeNode('n', { cpu: 2, memory: '64Gi', pods: 10, allocatable: { 'example.com/gpu': 1 } }),
      'QueueSkip',
    ],
  ])('%s', (_what, before, after, hint) => {
    const action = before === undefined ? ActionType.Add : ActionType.UpdateNodeAllocatable;
    expect(askHint(new NodeResourcesFit(), ['Node', action], pod, { before, after })).toBe(hint);
  });

  it('looks at all resources, ignored or not, as upstream', () => {
    const scoringStrategy = { type: 'LeastAllocated', resources: [] } as const;
    const plugin = new NodeResourcesFit({ scoringStrategy, ignoredResources: ['example.com/gpu'] });
    const { Add, UpdateNodeAllocatable } = ActionType;
    const [without, withGpu] = [node(2, 0), node(2, 1)];
    expect(askHint(plugin, ['Node', Add], pod, { after: without })).toBe('QueueSkip');
    expect(askHint(plugin, ['Node', UpdateNodeAllocatable], pod, { before: without, after: withGpu })).toBe('Queue');
  });

  it('does not register for labels', () => {
    const event = ['Node', ActionType.UpdateNodeLabel] as const;
    expect(askHint(new NodeResourcesFit(), event, pod, { after: node(2, 1) })).toBe('not registered');
  });
});
