import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { CandidateVolumes } from './candidate-volumes.ts';

/** Objects of one kind that hide the known object, until that is replaced or removed. */
class Assumptions<T> {
  readonly #byKey = new Map<string, { readonly known: T; readonly assumed: T }>();

  /** The assumed object; the known one if nothing is assumed, or if it changed after the assumption. */
  current(key: string, known: T | undefined): T | undefined {
    const assumption = this.#byKey.get(key);
    if (assumption === undefined) return known;
    if (assumption.known === known) return assumption.assumed;
    this.#byKey.delete(key);
    return known;
  }

  assume(key: string, known: T | undefined, assumed: T): void {
    if (known !== undefined) this.#byKey.set(key, { known, assumed });
  }

  restore(key: string): void {
    this.#byKey.delete(key);
  }
}

/**
 * Claims and volumes as they will be once the scheduler's own decisions have been carried out (upstream's AssumeCache).
 *
 *   known ── assume ──▶ assumed ── restore, or a newer object arrives ──▶ known
 */
export class AssumeCache {
  readonly #objects: ClusterObjects;
  readonly #volumes = new Assumptions<PersistentVolume>();
  readonly #claims = new Assumptions<PersistentVolumeClaim>();
  readonly #candidates: CandidateVolumes;

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
    this.#candidates = new CandidateVolumes(objects);
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#volumes.current(name, this.#objects.get('PersistentVolume', name));
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    const known = this.#objects.get('PersistentVolumeClaim', name, namespace);
    return this.#claims.current(`${namespace}/${name}`, known);
  }

  /** The volumes of the class that the claim may get, and some others, in the order in which they became known. */
  candidates(className: string, claim: PersistentVolumeClaim): PersistentVolume[] {
    return this.#candidates.namesFor(className, claim).flatMap((name) => this.volume(name) ?? []);
  }

  assumeVolume(assumed: PersistentVolume): void {
    const name = assumed.metadata?.name ?? '';
    this.#volumes.assume(name, this.#objects.get('PersistentVolume', name), assumed);
  }

  assumeClaim(namespace: string, assumed: PersistentVolumeClaim): void {
    const name = assumed.metadata?.name ?? '';
    const known = this.#objects.get('PersistentVolumeClaim', name, namespace);
    this.#claims.assume(`${namespace}/${name}`, known, assumed);
  }

  restoreVolume(name: string): void {
    this.#volumes.restore(name);
  }

  restoreClaim(namespace: string, name: string): void {
    this.#claims.restore(`${namespace}/${name}`);
  }
}
