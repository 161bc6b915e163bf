import { expect, test } from 'vitest';
import type { DeviceTaint, ResourceSlice } from '../../../src/api/resource-claims.ts';
import { DeviceTaints } from '../../../src/controllers/device-taint-eviction/device-taints.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { DRIVER, makeSlice } from '../../builders/make-devices.ts';

const DEVICES = ['d0', 'd1', 'd2'];

test('taints are those of the newest slices of the pool, and every change of them is reported', () => {
  const random = new Prng(11);
  const taints = new DeviceTaints();
  const slices = new Map<string, ResourceSlice>();
  const all = () => DEVICES.map((device) => taints.of({ driver: DRIVER, pool: 'n', device }));
  for (let step = 0; step < 400; step++) {
    const name = `slice-${random.below(3)}`;
    const before = slices.get(name);
    const effects = ['NoExecute', 'NoSchedule', 'NoExecute'].slice(0, random.below(3));
    const own: DeviceTaint[] = effects.map((effect) => ({ key: `k${random.below(2)}`, effect }));
    const pool = { name: 'n', generation: random.below(3), resourceSliceCount: 1 };
    // A device is in one slice of a generation, as drivers publish them.
    const device = DEVICES[Number(name.at(-1))] ?? '';
    const made = { ...makeSlice('n', [{ name: device, taints: own }], { pool }), metadata: { name } };
    const after = random.below(4) === 0 ? undefined : made;
    const old = all();
    const changed = taints.replace(before, after);
    if (after === undefined) slices.delete(name);
    else slices.set(name, after);
    const newest = Math.max(...[...slices.values()].map(({ spec }) => Number(spec.pool.generation)));
    const expected = DEVICES.map((wanted) => {
      const found = [...slices.values()].filter(({ spec }) => spec.pool.generation === newest);
      const devices = found.flatMap(({ spec }) => spec.devices ?? []).filter((each) => each.name === wanted);
      return devices.flatMap((each) => each.taints ?? []).filter(({ effect }) => effect === 'NoExecute');
    });
    expect(all()).toEqual(expected);
    const differing = DEVICES.filter((_, i) => JSON.stringify(old[i]) !== JSON.stringify(expected[i]));
    expect([...changed].sort()).toEqual(differing);
  }
});
