import { expect, test } from 'vitest';
import { RelistHealth } from '../../../src/kubelet/pleg/generic-pleg.ts';
import { FakeClock } from '../../../src/lib/clock.ts';

test('is well until the last good relist began longer ago than the threshold', () => {
  const clock = new FakeClock(1000);
  const health = new RelistHealth(clock, 180_000);
  expect(health.check()).toEqual({ ok: false, error: 'pleg has yet to be successful' });
  health.relistSucceeded(clock.nowMillis());
  clock.advance(180_000);
  expect(health.check()).toEqual({ ok: true });
  clock.advance(500);
  expect(health.check()).toEqual({ ok: false, error: 'pleg was last seen active 3m0.5s ago; threshold is 3m0s' });
  health.relistSucceeded(clock.nowMillis());
  expect(health.check()).toEqual({ ok: true });
});
