import { KINDS, type Kind } from '../../../src/api/kinds.ts';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { displayName, type LogEntry } from './queue-case.ts';

interface WatchEvent {
  readonly kind: Kind;
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: KubernetesObject;
}

/** The receiver of a watch event, which is notified after the lister has been brought up to date. */
export interface WatchTarget {
  added(kind: Kind, object: KubernetesObject): void;
  updated(kind: Kind, before: KubernetesObject, after: KubernetesObject): void;
  deleted(kind: Kind, object: KubernetesObject): void;
}

/**
 * The objects of the stub API server: what is stored, what watches have shown of it, and the events in between, in
 * order.
 */
export class StubObjects {
  readonly #stored = new Map<string, KubernetesObject>();
  readonly #listed = new Map<string, KubernetesObject>();
  #undelivered: WatchEvent[] = [];
  #nextVersion = 1;
  readonly #log: (entry: LogEntry) => void;
  target: WatchTarget | null = null;
  isHeld = false;

  constructor(log: (entry: LogEntry) => void) {
    this.#log = log;
  }

  get<T extends KubernetesObject>(kind: Kind, namespace: string, name: string): T | undefined {
    return this.#stored.get(keyOf(kind, namespace, name)) as T | undefined;
  }

  /** The object as the watch has shown it. */
  listed<T extends KubernetesObject>(kind: Kind, namespace: string, name: string): T | undefined {
    return this.#listed.get(keyOf(kind, namespace, name)) as T | undefined;
  }

  *stored<T extends KubernetesObject>(kind: Kind): Iterable<T> {
    for (const [key, object] of this.#stored) if (key.startsWith(`${kind} `)) yield object as T;
  }

  /** Adds or replaces. Pods that have finished are invisible to watches. */
  write<T extends KubernetesObject>(kind: Kind, object: T): T {
    const key = keyOfObject(kind, object);
    const old = this.#stored.get(key);
    const resourceVersion = String(this.#nextVersion++);
    const written = { ...object, metadata: { ...object.metadata, resourceVersion } };
    this.#stored.set(key, written);
    const [wasVisible, isVisible] = [old !== undefined && isShown(kind, old), isShown(kind, written)];
    if (isVisible) this.#undelivered.push({ kind, type: wasVisible ? 'MODIFIED' : 'ADDED', object: written });
    else if (wasVisible) this.#undelivered.push({ kind, type: 'DELETED', object: written });
    return written;
  }

  remove(kind: Kind, object: KubernetesObject): void {
    this.#nextVersion++;
    this.#stored.delete(keyOfObject(kind, object));
    if (isShown(kind, object)) this.#undelivered.push({ kind, type: 'DELETED', object });
  }

  /** Unless watches are held. */
  deliver(): void {
    while (!this.isHeld) {
      const event = this.#undelivered.shift();
      if (event === undefined) return;
      this.#deliverOne(event);
    }
  }

  #deliverOne({ kind, type, object }: WatchEvent): void {
    const key = keyOfObject(kind, object);
    const before = this.#listed.get(key);
    if (type === 'DELETED') this.#listed.delete(key);
    else this.#listed.set(key, object);
    this.#log({ k: 'watch', kind, object: displayName(object), type });
    if (type === 'ADDED') this.target?.added(kind, object);
    else if (type === 'MODIFIED') this.target?.updated(kind, before ?? object, object);
    else this.target?.deleted(kind, isShown(kind, object) || before === undefined ? object : before);
  }
}

function isShown(kind: Kind, object: KubernetesObject): boolean {
  if (kind !== 'Pod') return true;
  const { phase } = (object as Pod).status ?? {};
  return phase !== 'Succeeded' && phase !== 'Failed';
}

function keyOfObject(kind: Kind, { metadata }: KubernetesObject): string {
  return keyOf(kind, metadata?.namespace || 'default', metadata?.name ?? '');
}

function keyOf(kind: Kind, namespace: string, name: string): string {
  return KINDS[kind].isNamespaced ? `${kind} ${namespace}/${name}` : `${kind} ${name}`;
}
