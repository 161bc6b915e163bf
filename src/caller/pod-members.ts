import type { ObjectMeta } from '../api/meta.ts';
import type { Pod, PodSpec, PodStatus } from '../api/pod.ts';

/**
 * The members of one pod at a time, read in one enumeration. An object that a program made by spreading another often
 * has a hidden class of its own: then each read by name is a search, and two of them take longer than the enumeration.
 */
export class PodMembers {
  apiVersion: string | undefined;
  kind: string | undefined;
  metadata: ObjectMeta | undefined;
  spec: PodSpec | undefined;
  status: PodStatus | undefined;

  /** The pod need not be checked yet. */
  read(pod: Pod): this {
    this.apiVersion = undefined;
    this.kind = undefined;
    this.metadata = undefined;
    this.spec = undefined;
    this.status = undefined;
    if (!isEnumerable(pod)) this.#readByName(pod);
    else {
      for (const key in pod) {
        switch (key) {
          case 'apiVersion':
            this.apiVersion = pod[key];
            break;
          case 'kind':
            this.kind = pod[key];
            break;
          case 'metadata':
            this.metadata = pod[key];
            break;
          case 'spec':
            this.spec = pod[key];
            break;
          case 'status':
            this.status = pod[key];
        }
      }
    }
    return this;
  }

  #readByName({ apiVersion, kind, metadata, spec, status }: Pod): void {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.metadata = metadata;
    this.spec = spec;
    this.status = status;
  }
}

/** Whether an enumeration finds what is read by name, as with all that JSON can hold. Classes may have accessors. */
export function isEnumerable(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}
