import type { KubernetesObject } from '../api/meta.ts';
import type { Collection } from './ledger/collection.ts';
import { NODE_NAME } from './ledger/field-selector.ts';
import type { History } from './ledger/history.ts';
import { FIRST_KEY, isBelow, keyOf, type ObjectKey, textOf } from './ledger/object-key.ts';
import type { Selection } from './ledger/selection.ts';
import { badRequest, expired } from './objects/api-error.ts';
import type { List } from './objects/store-client.ts';

interface Continuation {
  /** The version of the first page. All pages show the state at that version. */
  readonly version: number;
  readonly start: ObjectKey;
}

export interface PageOptions {
  readonly selection: Selection;
  /** The version of the last write to any resource. */
  readonly version: number;
  readonly limit: number | undefined;
  readonly continue: string | undefined;
}

/**
 * One page of a list. Later pages show the same version as the first: writes since then are undone, as far as the
 * history reaches.
 *
 * @throws ApiError BadRequest, Expired
 */
export function listPage<T extends KubernetesObject>(
  objects: Collection<T>,
  history: History<T>,
  options: PageOptions,
): List<T> {
  const { selection, limit = 0 } = options;
  if (!Number.isSafeInteger(limit) || limit < 0)
    throw badRequest(`limit: must be an integer >= 0, not ${String(limit)}`);
  const { version, start } = options.continue
    ? decode(options.continue, options.version)
    : { version: options.version, start: FIRST_KEY };
  const current =
    objects.withIndexed(selection.wanted(NODE_NAME))?.filter((object) => !isBelow(keyOf(object), start)) ??
    objects.sortedFrom(selection.namespace, start, selection.name);
  const found = version === options.version ? current : stateAt(version, current, history, start);
  const items: T[] = [];
  for (const object of found) {
    if (!selection.matches(object)) continue;
    if (limit > 0 && items.length === limit) {
      return { items, resourceVersion: String(version), continue: encode({ version, start: keyOf(object) }) };
    }
    items.push(object);
  }
  return { items, resourceVersion: String(version) };
}

/** The objects at that version, in order, starting at this key. @throws ApiError Expired */
function stateAt<T extends KubernetesObject>(
  version: number,
  current: Iterable<T>,
  history: History<T>,
  start: ObjectKey,
): Iterable<T> {
  if (version < history.forgottenVersion) {
    const advice = 'You can start a new list without the continue parameter';
    throw expired(`The provided continue parameter is too old to display a consistent list result. ${advice}`);
  }
  // For each object that was written since then, the state before the oldest of these writes is the state to show.
  const before = new Map<string, T | undefined>();
  const first = history.firstAfter(version);
  for (let number = history.end - 1; number >= first; number--) {
    const { object, previous } = history.at(number);
    before.set(textOf(keyOf(object)), previous);
  }
  const changed = [...before.values()].filter(
    (object): object is T => object !== undefined && !isBelow(keyOf(object), start),
  );
  changed.sort((a, b) => (isBelow(keyOf(a), keyOf(b)) ? -1 : 1));
  return merged(current, before, changed);
}

/** The current objects; those that were written since are shown as they were before. */
function* merged<T extends KubernetesObject>(
  current: Iterable<T>,
  before: ReadonlyMap<string, T | undefined>,
  changed: readonly T[],
): Iterable<T> {
  let next = 0;
  for (const object of current) {
    const key = keyOf(object);
    while (next < changed.length && isBelow(keyOf(changed[next] as T), key)) yield changed[next++] as T;
    if (!before.has(textOf(key))) yield object;
  }
  yield* changed.slice(next);
}

function encode({ version, start }: Continuation): string {
  return Buffer.from(JSON.stringify([version, start.namespace, start.name])).toString('base64url');
}

function decode(token: string, current: number): Continuation {
  const [version, namespace, name] = parse(Buffer.from(token, 'base64url').toString());
  const isVersion = Number.isSafeInteger(version) && (version as number) <= current;
  if (!isVersion || typeof namespace !== 'string' || typeof name !== 'string') {
    throw badRequest(`continue key is not valid: ${JSON.stringify(token)}`);
  }
  return { version: version as number, start: { namespace, name } };
}

function parse(text: string): readonly unknown[] {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
