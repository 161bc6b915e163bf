import { describe, expect, test } from 'vitest';
import { NodePorts } from '../../../src/core/plugins/node-ports/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict } from './ask-plugin.ts';

const TAKEN = "Unschedulable: node(s) didn't have free ports for the requested pod ports";

describe('NodePorts', () => {
  const used = makePod('used', { nodeName: 'n', ports: [{ hostPort: 80, hostIP: '10.0.0.1' }] });
  const node = makeNodeInfo(makeNode('n'), [used]);

  test('is skipped for pods without host ports', () => {
    expect(filterVerdict(new NodePorts(), makePod('p', { ports: [{ containerPort: 80 }] }), node)).toBe('skipped');
  });

  test.each([
    [{ hostPort: 80 }, TAKEN],
    [{ hostPort: 80, hostIP: '10.0.0.1', protocol: 'TCP' }, TAKEN],
    [{ hostPort: 80, hostIP: '10.0.0.2' }, 'fits'],
    [{ hostPort: 80, protocol: 'UDP' }, 'fits'],
    [{ hostPort: 81 }, 'fits'],
  ])('%j beside 10.0.0.1 TCP 80: %s', (port, verdict) => {
    expect(filterVerdict(new NodePorts(), makePod('p', { ports: [port] }), node)).toBe(verdict);
  });

  test('a pod may name the same port twice', () => {
    const pod = makePod('p', { ports: [{ hostPort: 443 }, { hostPort: 443 }] });
    expect(filterVerdict(new NodePorts(), pod, node)).toBe('fits');
  });
});
