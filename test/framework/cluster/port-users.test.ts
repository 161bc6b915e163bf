import fc from 'fast-check';
import { expect, test } from 'vitest';
import { PortUsers } from '../../../src/framework/cluster/port-users.ts';

const port = (number: number) => ({ ip: '0.0.0.0', protocol: 'TCP', port: number });
const step = fc.record({ slot: fc.nat(5), ports: fc.array(fc.nat(4), { maxLength: 3 }), isGone: fc.boolean() });

test('the slots with ports are those to which one of them was added since their node came', () => {
  fc.assert(
    fc.property(fc.array(step), fc.array(fc.nat(5), { maxLength: 3 }), (steps, asked) => {
      const users = new PortUsers();
      const model = new Map<number, Set<number>>();
      for (const { slot, ports, isGone } of steps) {
        if (isGone) users.remove(slot);
        else users.add(slot, ports.map(port));
        const known = isGone ? new Set<number>() : new Set([...(model.get(slot) ?? []), ...ports]);
        model.set(slot, known);
      }
      const copy = new PortUsers();
      copy.copyFrom(users);
      const withAny = [...model].filter(([, ports]) => ports.size > 0).map(([slot]) => slot);
      const withAsked = [...model].filter(([, ports]) => asked.some((each) => ports.has(each))).map(([slot]) => slot);
      for (const each of [users, copy]) {
        expect([...each.slotsWith(null)].sort()).toEqual(withAny.sort());
        expect([...each.slotsWith(asked)].sort()).toEqual(withAsked.sort());
      }
      users.remove(0);
      expect(copy.slotsWith(null).has(0)).toBe(withAny.includes(0));
    }),
  );
});
