import { describe, expect, test } from 'vitest';
import { Scheduler } from '../../../src/index.ts';
import { NodePorts } from '../../../src/plugins/node-ports/plugin.ts';
import { makeNodeInfo } from '../../builders/make-cluster.ts';
import { makeNode } from '../../builders/make-node.ts';
import { makePod } from '../../builders/make-pod.ts';
import { filterVerdict } from '../ask-plugin.ts';

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

describe.each(['reference', 'scalar', 'simd'] as const)('two pods of a node hold the same port (%s)', (engine) => {
  const web = (name: string, nodeName: string, priority: number) =>
    makePod(name, { nodeName, ports: [{ hostPort: 80 }], spec: { priority } });

  test('one goes, and the port is free', () => {
    const scheduler = new Scheduler({ engine });
    scheduler.addNode(makeNode('n'));
    for (const name of ['a', 'b']) scheduler.addPod(web(name, 'n', 0));
    expect(scheduler.schedule(web('early', '', 0)).status).toBe('unschedulable');
    scheduler.removePod('default', 'a');
    expect(scheduler.schedule(web('late', '', 0)).status).toBe('scheduled');
  });

  test('to evict one is enough', () => {
    const scheduler = new Scheduler({ engine });
    scheduler.addNode(makeNode('n'));
    scheduler.addPod(web('low', 'n', 0));
    scheduler.addPod(web('high', 'n', 100));
    expect(scheduler.schedule(web('p', '', 50))).toMatchObject({ nominatedNode: 'n', victims: ['default/low'] });
  });
});
