/** Objects beside nodes and pods: names from pools so small that they are replaced and removed all the time. */
import fc from 'fast-check';
import type { ObjectKind, ObjectKinds } from '../../src/api/kinds.ts';
import type { Volume } from '../../src/api/volumes.ts';
import type { Scheduler } from '../../src/index.ts';
import { arbitraryLabelSelector, NAMESPACES } from './arbitrary-topology.ts';
import { claimVolume, makeClaim, makeVolume } from './make-storage.ts';

/** One object as data: `setObject`'s arguments. */
export type AnyObject = { [K in ObjectKind]: { readonly kind: K; readonly object: ObjectKinds[K] } }[ObjectKind];

export interface ObjectName {
  readonly kind: ObjectKind;
  readonly name: string;
  readonly namespace: string;
}

const CLAIMS = ['c0', 'c1', 'c2'];
const VOLUMES = ['v0', 'v1'];

const namespace = fc.constantFrom(...NAMESPACES);
const plainSelector = fc.constantFrom<Record<string, string>[]>({ app: 'web' }, { app: 'web' }, { tier: 'gold' }, {});

const of = <K extends ObjectKind>(kind: K, object: fc.Arbitrary<ObjectKinds[K]>): fc.Arbitrary<AnyObject> =>
  object.map((made) => ({ kind, object: made }) as unknown as AnyObject);

const namespaces = of(
  'Namespace',
  fc.record({
    metadata: fc.record({
      name: namespace,
      labels: fc.constantFrom<Record<string, string>[]>({}, { team: 'one' }, { team: 'two' }),
    }),
  }),
);

const selectorOwner = (name: string) =>
  fc.record({
    metadata: fc.record({ name: fc.constant(name), namespace }),
    spec: fc.record({ selector: plainSelector }),
  });

const labelSelectorOwner = fc
  .record({ namespace, selector: arbitraryLabelSelector })
  .map(({ namespace, selector }) => ({
    metadata: { name: 'owner', namespace },
    spec: selector === null || selector === undefined ? {} : { selector },
  }));

const budgets = fc.record({
  metadata: fc.record({ name: fc.constantFrom('pdb1', 'pdb2'), namespace }),
  spec: fc.record({ selector: arbitraryLabelSelector.map((selector) => selector ?? undefined) }),
  status: fc.record({ disruptionsAllowed: fc.nat(2) }),
});

const volumes = fc
  .record({
    name: fc.constantFrom(...VOLUMES),
    zone: fc.constantFrom(undefined, undefined, 'z1', 'z2__z3'),
  })
  .map(({ name, zone }) =>
    makeVolume(name, { phase: 'Bound', labels: zone === undefined ? {} : { 'topology.kubernetes.io/zone': zone } }),
  );

/** Bound claims only: an unbound one would be promised a volume when its pod is placed, which no object records. */
const claims = fc
  .record({ name: fc.constantFrom(...CLAIMS), namespace, volume: fc.constantFrom(...VOLUMES), exclusive: fc.boolean() })
  .map(({ name, namespace, volume, exclusive }) =>
    makeClaim(name, {
      namespace,
      volume,
      metadata: { namespace, name, annotations: { 'pv.kubernetes.io/bind-completed': 'yes' } },
      spec: { accessModes: [exclusive ? 'ReadWriteOncePod' : 'ReadWriteOnce'], volumeName: volume },
    }),
  );

const csiNodes = (nodeNames: readonly string[]) =>
  fc.record({
    metadata: fc.record({ name: fc.constantFrom(...nodeNames) }),
    spec: fc.record({ drivers: fc.nat(1).map((count) => [{ name: 'csi.example', allocatable: { count } }]) }),
  });

export function arbitraryObject(nodeNames: readonly string[]): fc.Arbitrary<AnyObject> {
  return fc.oneof(
    { weight: 4, arbitrary: namespaces },
    { weight: 4, arbitrary: of('Service', fc.oneof(selectorOwner('s1'), selectorOwner('s2'))) },
    { weight: 1, arbitrary: of('ReplicationController', selectorOwner('owner')) },
    { weight: 2, arbitrary: of('ReplicaSet', labelSelectorOwner) },
    { weight: 1, arbitrary: of('StatefulSet', labelSelectorOwner) },
    { weight: 2, arbitrary: of('PodDisruptionBudget', budgets) },
    { weight: 2, arbitrary: of('PersistentVolume', volumes) },
    { weight: 2, arbitrary: of('PersistentVolumeClaim', claims) },
    { weight: 1, arbitrary: of('CSINode', csiNodes(nodeNames)) },
  );
}

export const arbitraryClaimVolumes: fc.Arbitrary<Volume[]> = fc
  .subarray(CLAIMS, { minLength: 1, maxLength: 2 })
  .map((names) => names.map(claimVolume));

export function nameOfObject({ kind, object }: AnyObject): ObjectName {
  const { name = '', namespace = '' } = object.metadata ?? {};
  return { kind, name, namespace };
}

export function setAnyObject(scheduler: Scheduler, { kind, object }: AnyObject): void {
  // The pair is one of a union; the type system loses track of it.
  scheduler.setObject(kind as 'Namespace', object as ObjectKinds['Namespace']);
}
