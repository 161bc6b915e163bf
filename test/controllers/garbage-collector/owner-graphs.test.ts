import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { OwnerReference } from '../../../src/api/meta.ts';
import { GarbageCollector } from '../../../src/controllers/garbage-collector/garbage-collector.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { isApiError } from '../../../src/store/objects/api-error.ts';
import type { PropagationPolicy } from '../../../src/store/objects/store-client.ts';
import { ControlPlane } from '../control-plane.ts';

/** The truth about who stays, found by looking at everything again and again. */
class OwnershipModel {
  /** Uids of owners by uid; no owners: the object needs none. */
  readonly #owners = new Map<string, readonly string[]>();

  add(uid: string, owners: readonly string[]): void {
    this.#owners.set(uid, owners);
    this.#collect();
  }

  remove(uid: string, policy: PropagationPolicy): void {
    this.#owners.delete(uid);
    if (policy === 'Orphan') this.#forget((owner) => owner === uid);
    this.#collect();
  }

  /** Uids and their owners. */
  get objects(): Record<string, readonly string[]> {
    return Object.fromEntries(this.#owners);
  }

  #collect(): void {
    const isGarbage = ([, owners]: [string, readonly string[]]): boolean =>
      owners.length > 0 && owners.every((owner) => !this.#owners.has(owner));
    for (let found = [...this.#owners].find(isGarbage); found; found = [...this.#owners].find(isGarbage)) {
      this.#owners.delete(found[0]);
    }
    this.#forget((owner) => !this.#owners.has(owner));
  }

  #forget(isForgotten: (owner: string) => boolean): void {
    for (const [uid, owners] of this.#owners) {
      this.#owners.set(
        uid,
        owners.filter((owner) => !isForgotten(owner)),
      );
    }
  }
}

/** Objects that own each other; references may be to objects that are gone. */
class Scenario {
  readonly plane = new ControlPlane();
  readonly model = new OwnershipModel();
  /** To every object that ever was, and to one that never was. */
  readonly #references: OwnerReference[] = [{ kind: 'ReplicaSet', apiVersion: 'apps/v1', name: 'never', uid: 'never' }];

  constructor() {
    const { client, informers, loop, reportError } = this.plane;
    const collector = new GarbageCollector({ client, informers, loop, reportError });
    informers.start();
    collector.start();
    this.plane.runSeconds(1);
  }

  create(name: string, owners: readonly number[], isBlocking: boolean): void {
    const ownerReferences = this.#ownerReferences(owners, isBlocking);
    const template = { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { selector: { matchLabels: { app: name } }, template };
    const metadata = { name, namespace: 'default', ownerReferences };
    const created = this.plane.store.create('replicasets', { metadata, spec });
    const uid = created.metadata?.uid ?? '';
    this.#references.push({ kind: 'ReplicaSet', apiVersion: 'apps/v1', name, uid });
    this.model.add(
      uid,
      ownerReferences.map((owner) => owner.uid),
    );
  }

  /** Circles come about so. */
  adopt(name: string, owners: readonly number[], isBlocking: boolean): void {
    const ownerReferences = this.#ownerReferences(owners, isBlocking);
    const body = { metadata: { ownerReferences } };
    const { metadata } = this.plane.store.patch('replicasets', 'default', name, { type: 'merge', body });
    this.model.add(
      metadata?.uid ?? '',
      ownerReferences.map((owner) => owner.uid),
    );
  }

  delete(name: string, propagationPolicy: PropagationPolicy): void {
    const { metadata } = this.plane.store.get('replicasets', 'default', name);
    this.plane.store.delete('replicasets', 'default', name, { propagationPolicy });
    this.model.remove(metadata?.uid ?? '', propagationPolicy);
  }

  has(name: string): boolean {
    return this.plane.names('replicasets').includes(`default/${name}`);
  }

  get objects(): Record<string, readonly string[]> {
    const { items } = this.plane.store.list('replicasets');
    return Object.fromEntries(
      items.map(({ metadata }) => [metadata?.uid ?? '', metadata?.ownerReferences?.map(({ uid }) => uid) ?? []]),
    );
  }

  #ownerReferences(owners: readonly number[], blockOwnerDeletion: boolean): OwnerReference[] {
    const chosen = new Set(owners.map((index) => this.#references[index % this.#references.length] as OwnerReference));
    return [...chosen].map((reference) => ({ ...reference, blockOwnerDeletion }));
  }
}

const step = fc.record({
  kind: fc.constantFrom('create', 'create', 'create', 'delete', 'adopt'),
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  owners: fc.array(fc.nat(20), { maxLength: 3 }),
  isBlocking: fc.boolean(),
  policy: fc.constantFrom('Background', 'Foreground', 'Orphan'),
});

test('whoever is without owners goes, whoever has one stays, and nobody remembers those that went', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      const scenario = new Scenario();
      for (const { kind, name, owners, isBlocking, policy } of steps) {
        const exists = scenario.has(name);
        if (kind === 'create' && !exists) scenario.create(name, owners, isBlocking);
        if (kind === 'adopt' && exists) scenario.adopt(name, owners, isBlocking);
        if (kind === 'delete' && exists) scenario.delete(name, policy);
        scenario.plane.runSeconds(3);
        expect(scenario.objects).toEqual(scenario.model.objects);
      }
      expect(scenario.plane.reported).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

test('it ends the same however the collector, the cache and failing requests come in between', () => {
  const hurried = fc.record({
    kind: fc.constantFrom('create', 'create', 'delete'),
    owners: fc.array(fc.nat(20), { maxLength: 3 }),
    isBlocking: fc.boolean(),
    target: fc.nat(20),
    policy: fc.constantFrom('Background', 'Foreground'),
    tasks: fc.nat(4),
  });
  fc.assert(
    fc.property(fc.array(hurried, { maxLength: 20 }), fc.nat(), (steps, seed) => {
      const scenario = new Scenario();
      const { plane } = scenario;
      const prng = new Prng(seed);
      plane.isRefused = () => prng.below(4) === 0;
      for (const [i, { kind, owners, isBlocking, target, policy, tasks }] of steps.entries()) {
        if (kind === 'create') scenario.create(`r${i}`, owners, isBlocking);
        else deleteIfThere(scenario, `r${target}`, policy);
        for (let task = 0; task < tasks; task++) plane.loop.step();
      }
      plane.runSeconds(5);
      plane.isRefused = () => false;
      plane.runSeconds(2000);
      expect(scenario.objects).toEqual(scenario.model.objects);
    }),
    { numRuns: 100 },
  );
});

/** The collector may have been faster. */
function deleteIfThere(scenario: Scenario, name: string, policy: PropagationPolicy): void {
  try {
    scenario.delete(name, policy);
  } catch (error) {
    if (!isApiError(error, 'NotFound')) throw error;
  }
}
