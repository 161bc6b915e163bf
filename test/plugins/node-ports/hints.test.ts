import { expect, test } from 'vitest';
import { ActionType } from '../../../src/framework/events.ts';
import { NodePorts } from '../../../src/plugins/node-ports/plugin.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod, type PodOptions } from '../../builders/make-pod.ts';
import { askHint } from '../ask-hint.ts';

const PORTS = [{ containerPort: 80, hostPort: 80 }];
const OTHER_PORTS = [{ containerPort: 80, hostPort: 81 }];

test.each<[string, PodOptions, string]>([
  ['one that held the port', { ports: PORTS, nodeName: 'n' }, 'Queue'],
  ['one that was to get it', { ports: PORTS, status: { nominatedNodeName: 'n' } }, 'Queue'],
  ['one that waited for it', { ports: PORTS }, 'QueueSkip'],
  ['one with another port', { ports: OTHER_PORTS, nodeName: 'n' }, 'QueueSkip'],
  ['one without ports', { nodeName: 'n' }, 'QueueSkip'],
])('NodePorts: the deleted pod is %s', (_what, options, hint) => {
  const before = makePod('gone', options);
  const pod = makePod('p', { ports: PORTS });
  expect(askHint(new NodePorts(), ['AssignedPod', ActionType.Delete], pod, { before })).toBe(hint);
});

test('NodePorts: any new node', () => {
  expect(askHint(new NodePorts(), ['Node', ActionType.Add], makePod('p'), { after: makeNode('n') })).toBe('Queue');
});
