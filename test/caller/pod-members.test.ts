import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Container, Pod } from '../../src/api/pod.ts';
import { PodMembers } from '../../src/caller/pod-members.ts';
import { PodSignatures } from '../../src/caller/pod-signatures.ts';
import { arbitraryClusterPods } from '../builders/arbitrary-cluster-pod.ts';
import { makeClusterPod } from '../builders/make-cluster-pod.ts';

/** An object of a class, whose members are accessors that no enumeration finds. */
function behindAccessors<T extends object>(object: T): T {
  class Hidden {}
  for (const [key, value] of Object.entries(object)) Object.defineProperty(Hidden.prototype, key, { get: () => value });
  return new Hidden() as T;
}

function withContainers(pod: Pod, change: (container: Container) => Container): Pod {
  return { ...pod, spec: { ...pod.spec, containers: (pod.spec?.containers ?? []).map(change) } };
}

test('members are those that are read by name, of any pod after any other', () => {
  const members = new PodMembers();
  const forms = fc.constantFrom(
    (pod: Pod) => pod,
    behindAccessors,
    (pod: Pod): Pod => Object.create(pod),
  );
  const parts = fc.record(
    { apiVersion: fc.string(), kind: fc.string(), metadata: fc.object(), spec: fc.object(), other: fc.nat() },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(parts, forms)), (pods) => {
      for (const [part, form] of pods) {
        const pod = form(part as Pod);
        const { apiVersion, kind, metadata, spec, status } = pod;
        expect({ ...members.read(pod) }).toEqual({ apiVersion, kind, metadata, spec, status });
      }
    }),
  );
});

test('containers have one signature, whether their members are enumerated or read by name', () => {
  fc.assert(
    fc.property(arbitraryClusterPods, (pods) => {
      const signatures = new PodSignatures<number>();
      pods.forEach((pod, i) => {
        if (signatures.get(pod) === undefined) signatures.set(pod, i);
      });
      for (const pod of pods) {
        const known = signatures.get(pod);
        expect(signatures.get(withContainers(pod, (each) => ({ ...each })))).toBe(known);
        expect(signatures.get(withContainers(pod, behindAccessors))).toBe(known);
      }
    }),
  );
  const [signatures, pod] = [new PodSignatures<string>(), makeClusterPod(1)];
  signatures.set(withContainers(pod, behindAccessors), 'known');
  expect(signatures.get(pod)).toBe('known');
  expect(signatures.get(withContainers(pod, (each) => ({ ...each, image: 'other' })))).toBe(undefined);
});
