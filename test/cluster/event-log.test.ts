import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EventLog } from '../../src/cluster/event-log.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';

test('lines begin with the time as Date writes it', () => {
  let millis = 0;
  const clock = { nowMillis: () => millis };
  const lines: string[] = [];
  const client = new Store({ clock, names: new RandomNames(new Prng(1)) });
  const log = new EventLog({ client, clock, onLine: (line) => lines.push(line) });
  fc.assert(
    fc.property(fc.oneof(fc.integer({ min: 0, max: 4_102_444_800_000 }), fc.nat(2000)), fc.nat(3), (time, quarters) => {
      millis = time + quarters / 4;
      log.noted('a fault');
      expect(lines.pop()).toBe(`${new Date(millis).toISOString()} noted a fault`);
    }),
  );
});
