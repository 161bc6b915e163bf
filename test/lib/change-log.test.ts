import { expect, test } from 'vitest';
import { ChangeLog } from '../../src/lib/change-log.ts';

test('shows each reader what has changed since its cursor', () => {
  const log = new ChangeLog<string>();
  const start = log.end;
  log.add('a');
  const middle = log.end;
  log.add('b');
  expect([log.since(start), log.since(middle), log.since(log.end)]).toEqual([['a', 'b'], ['b'], []]);
});

test('says when it does not know any more', () => {
  const log = new ChangeLog<number>();
  const start = log.end;
  for (let i = 0; i < 20_000; i++) log.add(i);
  expect(log.since(start)?.length).toBe(20_000);
  log.add(20_000);
  expect(log.since(start)).toBeNull();
  const late = log.end;
  log.addAll();
  expect([log.since(late), log.since(log.end)]).toEqual([null, []]);
});
