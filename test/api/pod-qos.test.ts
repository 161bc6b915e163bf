import { describe, expect, it } from 'vitest';
import type { ResourceRequirements } from '../../src/api/pod.ts';
import { podQosClass } from '../../src/api/pod-qos.ts';

const full = { cpu: '1', memory: '1Gi' };

describe('podQosClass', () => {
  it.each<[string, readonly (ResourceRequirements | undefined)[], string]>([
    ['asks for nothing', [undefined, {}], 'BestEffort'],
    ['asks for zero', [{ requests: { cpu: '0' } }], 'BestEffort'],
    ['asks for another resource', [{ limits: { 'example.com/gpu': 1 } }], 'BestEffort'],
    ['asks for something', [{ requests: { cpu: '1m' } }], 'Burstable'],
    ['is limited in one resource', [{ limits: { cpu: '1' }, requests: { cpu: '1' } }], 'Burstable'],
    ['gets what it asks for', [{ limits: full, requests: full }], 'Guaranteed'],
    ['gets it in other words', [{ limits: full, requests: { cpu: '1000m', memory: '1024Mi' } }], 'Guaranteed'],
    ['may get more', [{ limits: full, requests: { ...full, cpu: '500m' } }], 'Burstable'],
    ['has a container without limits', [{ limits: full, requests: full }, undefined], 'Burstable'],
    ['adds up by chance', [{ limits: full, requests: full }, { requests: { cpu: '1' } }], 'Burstable'],
  ])('of a pod that %s', (_, resources, expected) => {
    expect(podQosClass({ containers: resources.map((each) => ({ name: 'c', resources: each })) })).toBe(expected);
  });

  it('looks at init containers, and at the resources of a whole pod only when it has them', () => {
    const container = { name: 'c', resources: { limits: full, requests: full } };
    expect(podQosClass({ containers: [container], initContainers: [{ name: 'i' }] })).toBe('Burstable');
    expect(podQosClass({ containers: [container], resources: { requests: { cpu: '3' } } })).toBe('Burstable');
    expect(podQosClass({ containers: [{ name: 'c' }], resources: { limits: full, requests: full } })).toBe(
      'Guaranteed',
    );
  });
});
