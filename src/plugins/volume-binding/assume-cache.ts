import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { AssumedObjects } from '../../framework/assumed-objects.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';
import { CandidateVolumes } from './candidate-volumes.ts';

/**
 * Claims and volumes as they will be once the scheduler's own decisions have been carried out (upstream's AssumeCache).
 */
export class AssumeCache {
  readonly #objects: ClusterObjects;
  readonly #assumed: AssumedObjects;
  /** Null until somebody asks: most clusters have no claim that is not bound. */
  #candidates: CandidateVolumes | null = null;

  /** `assumed`: what is assumed already; absent: nothing. */
  constructor(objects: ClusterObjects, assumed = new AssumedObjects()) {
    this.#objects = objects;
    this.#assumed = assumed;
  }

  /** The volumes that claims may get. */
  get candidates(): CandidateVolumes {
    this.#candidates ??= new CandidateVolumes(this.#objects, this.#assumed);
    return this.#candidates;
  }

  volume(name: string): PersistentVolume | undefined {
    return this.#current(this.#objects.get('PersistentVolume', name));
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    return this.#current(this.#objects.get('PersistentVolumeClaim', name, namespace));
  }

  assumeVolume(assumed: PersistentVolume): void {
    const known = this.#objects.get('PersistentVolume', assumed.metadata?.name ?? '');
    if (known !== undefined) this.#assumed.assume(known, assumed);
  }

  assumeClaim(namespace: string, assumed: PersistentVolumeClaim): void {
    const known = this.#objects.get('PersistentVolumeClaim', assumed.metadata?.name ?? '', namespace);
    if (known !== undefined) this.#assumed.assume(known, assumed);
  }

  restoreVolume(name: string): void {
    this.#restore(this.#objects.get('PersistentVolume', name));
  }

  restoreClaim(namespace: string, name: string): void {
    this.#restore(this.#objects.get('PersistentVolumeClaim', name, namespace));
  }

  #current<T extends object>(known: T | undefined): T | undefined {
    return known === undefined ? undefined : this.#assumed.current(known);
  }

  #restore(known: object | undefined): void {
    if (known !== undefined) this.#assumed.restore(known);
  }
}
