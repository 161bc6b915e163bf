import { describe, expect, it } from 'vitest';
import type { CapacityRequestPolicy } from '../../../../src/api/resource-claims.ts';
import { consumptionOf } from '../../../../src/plugins/dynamic-resources/allocator/consumable-capacity.ts';

function consumed(requestPolicy: CapacityRequestPolicy | undefined, memory?: string): string | null {
  const device = { name: 'd', capacity: { memory: { value: '20G', requestPolicy } } };
  const requests = memory === undefined ? {} : { memory };
  return consumptionOf(device, { deviceClassName: 'c', capacity: { requests } })?.['memory'] ?? null;
}

describe('consumptionOf', () => {
  const values = { default: '2G', validValues: ['2G', '5G'] };
  const range = { default: '3G', validRange: { min: '2G', max: '8G', step: '1G' } };
  it.each<[CapacityRequestPolicy | undefined, string | undefined, string | null]>([
    [undefined, undefined, '20G'],
    [undefined, '1500M', '1500M'],
    [values, undefined, '2G'],
    [values, '2500M', '5G'],
    [values, '6G', null],
    [range, undefined, '3G'],
    [range, '1G', '2G'],
    [range, '9G', null],
    // A multiple of the step is written with binary suffixes, as upstream does.
    [{ default: '1Gi', validRange: { min: '512Mi', step: '512Mi' } }, '600Mi', '1Gi'],
  ])('policy %j, asked for %s', (policy, asked, expected) => {
    expect(consumed(policy, asked)).toBe(expected);
  });

  it('is nothing if the device lacks what is asked for', () => {
    const request = { deviceClassName: 'c', capacity: { requests: { nosuch: '1' } } };
    expect(consumptionOf({ name: 'd' }, request)).toBeNull();
  });
});
