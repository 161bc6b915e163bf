import { describe, expect, it } from 'vitest';
import type { Device, DeviceRequest, ResourceClaim } from '../../../src/api/resource-claims.ts';
import { type EngineName, Scheduler } from '../../../src/index.ts';
import { makeDeviceClaim, makeDeviceClass, makeSlice, podWithDevices } from '../../builders/make-devices.ts';
import { makeNode } from '../../builders/make-node.ts';

const H100 = 'device.attributes["gpu.example.com"].model == "h100"';

function gpu(name: string, model: string, more: Partial<Device> = {}): Device {
  return { name, attributes: { model: { string: model } }, ...more };
}

const DEVICES = [
  gpu('g0', 'h100'),
  gpu('g1', 'h100', { taints: [{ key: 'broken', value: 'yes', effect: 'NoSchedule' }] }),
  ...['g2', 'g3', 'g4', 'g5'].map((name) => gpu(name, 'a100')),
];

const exactly = { deviceClassName: 'gpu', selectors: [{ cel: { expression: H100 } }] };
const claimOf = (name: string, request: DeviceRequest): ResourceClaim => makeDeviceClaim(name, [request]);

function detailsOf(engine: EngineName, claim: ResourceClaim, devices: readonly Device[] = DEVICES) {
  const scheduler = new Scheduler({ engine });
  scheduler.setObject('DeviceClass', makeDeviceClass());
  scheduler.addNode(makeNode('a'));
  scheduler.addNode(makeNode('bare'));
  scheduler.setObject('ResourceSlice', makeSlice('a', devices));
  const first = claimOf('first', { name: 'r', exactly: { ...exactly, allocationMode: 'ExactCount', count: 1 } });
  for (const each of [first, claim]) scheduler.setObject('ResourceClaim', each);
  scheduler.schedule(podWithDevices('first', ['first']));
  const { nodes } = scheduler.explain(podWithDevices('p', [claim.metadata?.name ?? '']));
  return Object.fromEntries(nodes.map(({ node, details }) => [node, details]));
}

describe.each<EngineName>(['reference', 'simd'])('details of a rejection, engine %s', (engine) => {
  it('name the selector that a device fails, its user or its taint', () => {
    const claim = claimOf('second', { name: 'r', exactly: { ...exactly, allocationMode: 'ExactCount', count: 2 } });
    expect(detailsOf(engine, claim)).toEqual({
      a: [
        'claim default/second, request r for 2 devices: g0: in use; g1: tainted broken=yes:NoSchedule; ' +
          `g2, g3, g4 and 1 more: fails the selector of the request, ${H100}`,
      ],
      bare: ['claim default/second, request r for 2 devices: the node has no devices'],
    });
  });

  it('have a line for each alternative, and tell devices that would do by themselves', () => {
    const firstAvailable = [
      { name: 'h', ...exactly, count: 1 },
      { name: 'many', deviceClassName: 'gpu', count: 9 },
    ];
    const details = detailsOf(engine, claimOf('c', { name: 'r', firstAvailable }));
    expect(details['a']?.map((line) => line.slice(0, 50))).toEqual([
      'claim default/c, request r/h for 1 device: g0: in ',
      'claim default/c, request r/many for 9 devices: g0:',
    ]);
    expect(details['a']?.[1]).toContain('; g2, g3, g4 and 1 more: fits by itself');
  });
});
