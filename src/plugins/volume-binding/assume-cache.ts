import type { PersistentVolume, PersistentVolumeClaim } from '../../api/storage.ts';
import { volumeClassName } from '../../api/volume-claims.ts';
import type { ClusterObjects } from '../../framework/cluster-objects.ts';

interface Assumption<T> {
  /** The known object when the assumption was made. */
  readonly known: T;
  readonly assumed: T;
}

/**
 * Claims and volumes as they will be once the scheduler's own decisions have been carried out (upstream's AssumeCache).
 *
 *   known ── assume ──▶ assumed ── restore, or a newer object arrives ──▶ known
 *
 * What has been assumed hides the known object until that is replaced or removed.
 */
export class AssumeCache {
  readonly #objects: ClusterObjects;
  readonly #volumes = new Map<string, Assumption<PersistentVolume>>();
  readonly #claims = new Map<string, Assumption<PersistentVolumeClaim>>();
  #version = -1;
  #namesByClass = new Map<string, string[]>();

  constructor(objects: ClusterObjects) {
    this.#objects = objects;
  }

  volume(name: string): PersistentVolume | undefined {
    return current(this.#volumes, name, this.#objects.get('PersistentVolume', name));
  }

  claim(namespace: string, name: string): PersistentVolumeClaim | undefined {
    const known = this.#objects.get('PersistentVolumeClaim', name, namespace);
    return current(this.#claims, `${namespace}/${name}`, known);
  }

  /** Volumes of the storage class, in the order in which they became known. */
  volumesOfClass(className: string): PersistentVolume[] {
    if (this.#version !== this.#objects.version('PersistentVolume')) this.#rebuildClasses();
    return (this.#namesByClass.get(className) ?? []).flatMap((name) => this.volume(name) ?? []);
  }

  assumeVolume(assumed: PersistentVolume): void {
    const name = assumed.metadata?.name ?? '';
    const known = this.#objects.get('PersistentVolume', name);
    if (known !== undefined) this.#volumes.set(name, { known, assumed });
  }

  assumeClaim(namespace: string, assumed: PersistentVolumeClaim): void {
    const name = assumed.metadata?.name ?? '';
    const known = this.#objects.get('PersistentVolumeClaim', name, namespace);
    if (known !== undefined) this.#claims.set(`${namespace}/${name}`, { known, assumed });
  }

  restoreVolume(name: string): void {
    this.#volumes.delete(name);
  }

  restoreClaim(namespace: string, name: string): void {
    this.#claims.delete(`${namespace}/${name}`);
  }

  #rebuildClasses(): void {
    this.#namesByClass = new Map();
    for (const volume of this.#objects.list('PersistentVolume')) {
      const className = volumeClassName(volume);
      const names = this.#namesByClass.get(className);
      const name = volume.metadata?.name ?? '';
      if (names === undefined) this.#namesByClass.set(className, [name]);
      else names.push(name);
    }
    this.#version = this.#objects.version('PersistentVolume');
  }
}

function current<T>(assumptions: Map<string, Assumption<T>>, key: string, known: T | undefined): T | undefined {
  const assumption = assumptions.get(key);
  if (assumption === undefined) return known;
  if (assumption.known === known) return assumption.assumed;
  assumptions.delete(key);
  return known;
}
