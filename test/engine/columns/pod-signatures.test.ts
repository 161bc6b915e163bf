import { expect, test, vi } from 'vitest';
import { PodSignatureStore } from '../../../src/engine/columns/pod-signatures.ts';
import type { PodSignature } from '../../../src/engine/index/pod-signature.ts';
import type { NodeVerdicts } from '../../../src/engine/verdicts/node-verdicts.ts';
import { EngineColumns } from '../../builders/engine-columns.ts';
import { makePod } from '../../builders/make-pod.ts';

function start() {
  const world = new EngineColumns();
  const released: PodSignature[] = [];
  const store = new PodSignatureStore(world.columns, [{ release: (signature) => released.push(signature) }]);
  /** Adds a signature whose verdicts are shared under the key. */
  const add = (cpu: number, verdictsKey: string): PodSignature => {
    const made = world.signatureOf(makePod('p', { requests: { cpu } }));
    const verdicts = store.verdictsOf({ verdictsKey, familyKey: null }, () => made.verdicts);
    const signature = { ...made, verdictsKey, verdicts };
    store.add(signature.pod.requirements, signature);
    return signature;
  };
  return { world, store, released, add };
}

test('the signature that was used longest ago is given up, with all that depends on it', () => {
  const { store, released, add } = start();
  const [first, second] = [add(1, 'a'), add(2, 'b')];
  const holder = { signature: first };
  first.holder = holder;
  expect([store.size, store.evict()]).toEqual([2, true]);
  expect([store.size, released, first.isReleased, second.isReleased]).toEqual([1, [first], true, false]);
  expect(holder.signature).toBeNull();
  expect([store.get(first.pod.requirements), store.get(second.pod.requirements)]).toEqual([undefined, second]);
});

test('verdicts stay until the last signature that shares them is gone', () => {
  const { store, add } = start();
  const [first, second] = [add(1, 'a'), add(2, 'a')];
  expect(second.verdicts).toBe(first.verdicts);
  const release = vi.spyOn(first.verdicts, 'release');
  store.evict();
  expect(release).not.toHaveBeenCalled();
  store.evict();
  expect(release).toHaveBeenCalledTimes(1);
  expect(store.evict()).toBe(false);
});

test('new verdicts are made from the newest of their family that are still there', () => {
  const { world, store } = start();
  const made: (NodeVerdicts | null)[] = [];
  const add = (key: string, familyKey: string | null): PodSignature => {
    const signature = world.signatureOf(makePod('p', { requests: { cpu: made.length + 1 } }));
    const verdicts = store.verdictsOf({ verdictsKey: key, familyKey }, (like) => {
      made.push(like);
      return signature.verdicts;
    });
    const added = { ...signature, verdictsKey: key, verdicts };
    store.add(signature.pod.requirements, added);
    return added;
  };
  const [first, second] = [add('a', 'family'), add('b', 'family')];
  add('c', null);
  add('d', 'other');
  expect(made).toEqual([null, first.verdicts, null, null]);
  store.dropAll((signature) => signature === first);
  const third = add('e', 'family');
  store.dropAll((signature) => signature === third);
  add('f', 'family');
  expect(made.slice(4)).toEqual([second.verdicts, null]);
});

test('of the signatures of pods that request rare resources few are kept', () => {
  const { world, store, released, add } = start();
  const common = add(1, 'a');
  const rare = Array.from({ length: 130 }, (_, i) => {
    world.columns.setResource('allocatable', `example.com/${i}`, 0, 1);
    const signature = world.signatureOf(makePod('p', { requests: { [`example.com/${i}`]: 1 } }));
    store.add(signature.pod.requirements, signature);
    store.evictRare();
    return signature;
  });
  expect([store.size, released, common.isReleased]).toEqual([129, rare.slice(0, 2), false]);
});

test('the signatures that are meant are given up at once, all others stay', () => {
  const { store, released, add } = start();
  const [first, second, third] = [add(1, 'a'), add(2, 'a'), add(3, 'b')];
  store.dropAll((signature) => signature !== second);
  expect([store.size, released]).toEqual([1, [first, third]]);
  expect([store.get(third.pod.requirements), store.evict(), released.at(-1)]).toEqual([undefined, true, second]);
});
