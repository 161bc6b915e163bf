import type { KubernetesObject } from '../../api/meta.ts';
import type { ShelvedObject } from '../../store/ledger/ledger.ts';

/** What was kept of a ledger: its objects at one version, and the time of its cluster. */
export interface SavedLedger {
  readonly objects: Iterable<ShelvedObject>;
  readonly version: number;
  /** Milliseconds since the Unix epoch. */
  readonly clockMillis: number;
}

/** An object as a ledger stores it, from its JSON. */
export function restoredObject(text: string): KubernetesObject {
  const object = JSON.parse(text) as KubernetesObject;
  Object.freeze(object.metadata);
  return Object.freeze(object);
}
