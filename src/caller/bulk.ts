import { KINDS, type ObjectKind, type ObjectKinds } from '../api/kinds.ts';
import type { Node } from '../api/node.ts';
import type { Pod } from '../api/pod.ts';
import { isObject, show } from '../api/validation/check.ts';
import { isOtherKind } from '../api/validation/object-structures.ts';
import { SchedulerError } from '../framework/scheduler-error.ts';
import { firstLineOf } from '../lib/errors.ts';
import { invalid } from './call-checks.ts';
import type { ObjectChecks } from './object-checks.ts';

/** The kinds that a scheduler takes. */
export type LoadedKind = 'Node' | 'Pod' | ObjectKind;

/** An object with its kind, whose contents are not checked yet. */
type KindedObject =
  | { readonly kind: 'Node'; readonly object: Node }
  | { readonly kind: 'Pod'; readonly object: Pod }
  | { readonly kind: ObjectKind; readonly object: ObjectKinds[ObjectKind] };

/** The numbers of objects that were loaded and that were left out, by kind. */
export interface LoadResult {
  readonly loaded: Readonly<Record<string, number>>;
  /** The kinds that decisions do not depend on. */
  readonly ignored: Readonly<Record<string, number>>;
}

/** An informer of `@kubernetes/client-node`, as far as it is used here. */
export interface ObjectInformer {
  on(verb: 'add' | 'update' | 'delete', handler: (object: object) => void): void;
  off?(verb: 'add' | 'update' | 'delete', handler: (object: object) => void): void;
}

/** How `attach` follows informers. */
export interface AttachOptions {
  /** Receives an object that was refused, with the error. Default: the error is logged. */
  readonly onError?: ((error: unknown, kind: LoadedKind, object: object) => void) | undefined;
}

/**
 * Lists the objects of a list (`NodeList`, `PodList`, `List`, ...), of an array of objects or lists, or of one object.
 * Objects of a typed list need no kind of their own. Errors: Invalid.
 */
function listObjects(source: unknown, ignored: Record<string, number>): KindedObject[] {
  const found: KindedObject[] = [];
  const visit = (value: unknown, path: string, kindOfList: string): void => {
    if (Array.isArray(value)) {
      for (const [i, item] of value.entries()) visit(item, `${path}[${i}]`, kindOfList);
      return;
    }
    if (!isObject(value)) throw invalid(`${path}: must be an object or a list, not ${show(value)}`);
    const kind = typeof value['kind'] === 'string' && value['kind'] !== '' ? value['kind'] : kindOfList;
    if (Array.isArray(value['items'])) {
      visit(value['items'], `${path}.items`, kind.replace(/List$/, ''));
      return;
    }
    if (kind === '') throw invalid(`${path}: it has no kind`);
    if (kind === 'Node' || kind === 'Pod' || isOtherKind(kind)) found.push({ kind, object: value } as KindedObject);
    else ignored[kind] = (ignored[kind] ?? 0) + 1;
  };
  visit(source, 'objects', '');
  return found;
}

/** As `listObjects`, also for objects whose own getters or traps throw. Errors: Invalid. */
function readObjects(source: unknown, ignored: Record<string, number>): KindedObject[] {
  try {
    return listObjects(source, ignored);
  } catch (error) {
    throw error instanceof SchedulerError ? error : invalid(`objects: cannot be read: ${firstLineOf(error)}`);
  }
}

/** The place of an object among those that are loaded together: what others refer to comes first. */
function loadOrder({ kind }: KindedObject): number {
  if (kind === 'Pod') return 2;
  return kind === 'Node' ? 1 : 0;
}

/** The namespace and the name of an object that may be anything. */
function namesOf(kind: LoadedKind, object: unknown): { readonly namespace: string; readonly name: string } {
  const metadata = isObject(object) ? object['metadata'] : undefined;
  const { name, namespace } = isObject(metadata) ? metadata : {};
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { namespace: KINDS[kind].isNamespaced ? text(namespace) || 'default' : '', name: text(name) };
}

/** The methods of a scheduler that take and remove objects. */
export interface LoadTarget {
  addNode(node: Node): void;
  updateNode(node: Node): void;
  removeNode(name: string): void;
  updatePod(pod: Pod): void;
  removePod(namespace: string, name: string): void;
  setObject<K extends ObjectKind>(kind: K, object: ObjectKinds[K]): void;
  removeObject(kind: ObjectKind, name: string, namespace?: string): void;
  has(kind: LoadedKind, name: string, namespace?: string): boolean;
}

/** Adds or replaces all objects, which are checked before the first is taken. Errors: Invalid. */
export function loadInto(target: LoadTarget, checks: ObjectChecks, objects: object): LoadResult {
  const ignored: Record<string, number> = {};
  const loaded: Record<string, number> = {};
  const found = readObjects(objects, ignored).sort((a, b) => loadOrder(a) - loadOrder(b));
  for (const each of found) {
    if (each.kind === 'Node') checks.checkNode(each.object);
    else if (each.kind === 'Pod') checks.checkPod(each.object);
    else checks.checkObject(each.kind, each.object);
  }
  for (const { kind, object } of found) {
    put(target, kind, object);
    loaded[kind] = (loaded[kind] ?? 0) + 1;
  }
  return { loaded, ignored };
}

/** Adds or replaces an object of any kind. */
function put(target: LoadTarget, kind: LoadedKind, object: object): void {
  if (kind === 'Pod') target.updatePod(object as Pod);
  else if (kind !== 'Node') target.setObject(kind, object as ObjectKinds[ObjectKind]);
  else if (target.has('Node', namesOf(kind, object).name)) target.updateNode(object as Node);
  else target.addNode(object as Node);
}

/** Removes an object of any kind, if it is known. */
function drop(target: LoadTarget, kind: LoadedKind, object: object): void {
  const { namespace, name } = namesOf(kind, object);
  if (!target.has(kind, name, namespace)) return;
  if (kind === 'Node') target.removeNode(name);
  else if (kind === 'Pod') target.removePod(namespace, name);
  else target.removeObject(kind, name, namespace);
}

/** Hands the objects of informers to the scheduler. Returns a function that ends that. Errors: Invalid. */
export function followInformers(
  target: LoadTarget,
  informers: Readonly<Partial<Record<LoadedKind, ObjectInformer>>>,
  refused: NonNullable<AttachOptions['onError']>,
): () => void {
  if (!isObject(informers)) throw invalid(`informers: must be an object, not ${show(informers)}`);
  const entries = Object.entries(informers).filter(([, informer]) => informer !== undefined);
  for (const [kind, informer] of entries) {
    const isKnown = kind === 'Node' || kind === 'Pod' || isOtherKind(kind);
    if (!isKnown) throw invalid(`informers.${kind}: this is no kind of object that decisions depend on`);
    if (typeof informer?.on !== 'function') throw invalid(`informers.${kind}: it has no method on`);
    if (informer.off !== undefined && typeof informer.off !== 'function') {
      throw invalid(`informers.${kind}.off: must be a function, not ${show(informer.off)}`);
    }
  }
  if (typeof refused !== 'function') throw invalid(`option onError: must be a function, not ${show(refused)}`);
  const ends: (() => void)[] = [];
  const end = (): void => {
    for (const each of ends.splice(0)) each();
  };
  for (const [key, informer] of entries) {
    const kind = key as LoadedKind;
    const handler = (take: typeof put) => (object: object) => {
      try {
        take(target, kind, object);
      } catch (error) {
        refused(error, kind, object);
      }
    };
    const [taken, dropped] = [handler(put), handler(drop)];
    for (const verb of ['add', 'update', 'delete'] as const) {
      const handle = verb === 'delete' ? dropped : taken;
      try {
        informer.on(verb, handle);
      } catch (error) {
        // What was attached before is detached: all informers are followed, or none.
        end();
        throw invalid(`informers.${kind}: cannot be followed: ${firstLineOf(error)}`);
      }
      ends.push(() => informer.off?.(verb, handle));
    }
  }
  return end;
}
