import { timeAtMillis } from '../../api/time.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';

/** What was found of a namespace that is being deleted. */
export interface RemainingContent {
  /** How many objects are left, by resource and group. */
  readonly objects: Map<string, number>;
  /** How many objects each finalizer holds. */
  readonly finalizers: Map<string, number>;
  /** Why resources could not be deleted. */
  readonly errors: string[];
}

/** The type of a condition, and the reason and message of one that is not met. */
type Kept = readonly [type: string, reason: string, message: string];

const DISCOVERED: Kept = [
  'NamespaceDeletionDiscoveryFailure',
  'ResourcesDiscovered',
  'All resources successfully discovered',
];
const PARSED: Kept = [
  'NamespaceDeletionGroupVersionParsingFailure',
  'ParsedGroupVersions',
  'All legacy kube types successfully parsed',
];
const DELETED: Kept = [
  'NamespaceDeletionContentFailure',
  'ContentDeleted',
  'All content successfully deleted, may be waiting on finalization',
];
const REMOVED: Kept = ['NamespaceContentRemaining', 'ContentRemoved', 'All content successfully removed'];
const FINISHED: Kept = [
  'NamespaceFinalizersRemaining',
  'ContentHasNoFinalizers',
  'All content-preserving finalizers finished',
];

/**
 * The conditions of a namespace that is being deleted; undefined if it has them already. Upstream:
 * pkg/controller/namespace/deletion/status_condition_utils.go.
 */
export function deletionConditions(
  namespace: ApiObject,
  { objects, finalizers, errors }: RemainingContent,
  nowMillis: number,
): readonly JsonObject[] | undefined {
  const { conditions: before = [] } = (namespace['status'] ?? {}) as { conditions?: JsonObject[] };
  const failures = `Failed to delete all resource types, ${errors.length} remaining: ${errors.toSorted().join(', ')}`;
  const left = listed(objects, 'has');
  const held = listed(finalizers, 'in');
  const wanted = [
    condition(DISCOVERED),
    condition(PARSED),
    condition(DELETED, errors.length > 0 && ['ContentDeletionFailed', failures]),
    condition(REMOVED, left !== '' && ['SomeResourcesRemain', `Some resources are remaining: ${left}`]),
    condition(
      FINISHED,
      held !== '' && ['SomeFinalizersRemain', `Some content in the namespace has finalizers remaining: ${held}`],
    ),
  ];
  const next = [...before];
  for (const each of wanted) {
    const place = before.findIndex(({ type }) => type === each['type']);
    const { lastTransitionTime, ...old } = before[place] ?? {};
    if (Object.entries(each).every(([key, value]) => old[key] === value)) continue;
    const time = old['status'] === each['status'] ? lastTransitionTime : timeAtMillis(nowMillis);
    next[place < 0 ? next.length : place] = { ...each, lastTransitionTime: time as string };
  }
  return next.length === before.length && next.every((each, i) => each === before[i]) ? undefined : next;
}

function condition([type, reason, message]: Kept, failure: readonly [string, string] | false = false): JsonObject {
  if (failure === false) return { type, status: 'False', reason, message };
  return { type, status: 'True', reason: failure[0], message: failure[1] };
}

function listed(counts: ReadonlyMap<string, number>, verb: string): string {
  return Array.from(counts, ([name, count]) => `${name} ${verb} ${count} resource instances`)
    .sort()
    .join(', ');
}
