import { describe, expect, it } from 'vitest';
import type { ResourceClaim } from '../../../../src/api/resource-claims.ts';
import type { Handle } from '../../../../src/framework/handle.ts';
import { VirtualEventLoop } from '../../../../src/lib/event-loop.ts';
import { awaitDevices, mustWait } from '../../../../src/plugins/dynamic-resources/claims/await-devices.ts';
import { readinessOf } from '../../../../src/plugins/dynamic-resources/claims/binding-conditions.ts';
import { DRIVER, makeDeviceClaim } from '../../../builders/make-devices.ts';

const TIMEOUT_MILLIS = 600_000;

/** A claim with a device that must be attached; `conditions`: those that are true. */
function claim(allocationTimestamp: string, ...conditions: string[]): ResourceClaim {
  const device = { driver: DRIVER, pool: 'n', device: 'd' };
  const result = { request: 'r', ...device, bindingConditions: ['Attached'], bindingFailureConditions: ['Broken'] };
  const status = {
    allocation: { devices: { results: [result] }, allocationTimestamp },
    devices: [
      {
        ...device,
        conditions: conditions.map((type) => ({ type, status: 'True', reason: 'Because', message: 'said "so"' })),
      },
    ],
  };
  return { ...makeDeviceClaim('x', [1]), status };
}

/** Waits on a virtual clock; the claim is `later` after a minute. Returns the problem and the seconds that passed. */
function wait(first: ResourceClaim, later: ResourceClaim | string = first): [string | null, number] {
  const loop = new VirtualEventLoop();
  const startMillis = loop.nowMillis();
  const handle = { nowMillis: () => loop.nowMillis(), after: (millis, task) => loop.after(millis, task) } as Handle;
  let problem: string | null = 'never';
  let endMillis = startMillis;
  const current = () => [loop.nowMillis() < startMillis + 60_000 ? first : later];
  awaitDevices(handle, current, TIMEOUT_MILLIS, (text) => {
    problem = text;
    endMillis = loop.nowMillis();
  });
  loop.runUntilIdle();
  return [problem, (endMillis - startMillis) / 1000];
}

describe('awaitDevices', () => {
  const now = '2026-01-01T00:00:00Z';

  it('ends when the devices are ready', () => {
    expect(mustWait([claim(now)])).toBe(true);
    expect(wait(claim(now, 'Attached'))).toEqual([null, 0]);
    expect(wait(claim(now), claim(now, 'Attached'))).toEqual([null, 60]);
  });

  it('ends when a device fails, or its time is over', () => {
    expect(wait(claim(now), claim(now, 'Attached', 'Broken'))).toEqual([
      'device binding failed: claim=x, reason=Because, message="said \\"so\\""',
      60,
    ]);
    expect(wait(claim(now))).toEqual(['device binding timeout: context deadline exceeded', 600]);
    expect(wait(claim('2025-12-31T23:55:00Z'))).toEqual(['device binding timeout: claim=x', 305]);
    expect(wait(claim(now), 'could not find it')).toEqual(['could not find it', 60]);
  });

  it('looks at the first device that is not ready, and at no later one', () => {
    const failed = { type: 'Broken', status: 'True' };
    const resultOf = (device: string) => {
      const binding = { bindingConditions: ['Attached'], bindingFailureConditions: ['Broken'] };
      return { request: 'r', driver: DRIVER, pool: 'n', device, shareID: device, ...binding };
    };
    const devices = [{ driver: DRIVER, pool: 'n', device: 'broken', conditions: [failed] }];
    const withResults = (...names: string[]) => {
      const status = { allocation: { devices: { results: names.map(resultOf) } }, devices };
      return { ...makeDeviceClaim('x', [2]), status } as ResourceClaim;
    };
    expect(readinessOf(withResults('new', 'broken'))).toBe('waiting');
    expect(readinessOf(withResults('broken', 'new'))).toMatchObject({ failed: expect.stringContaining('failed') });
    expect(readinessOf(makeDeviceClaim('x', [1]))).toBe('waiting');
  });
});
