import type { ApiObject } from '../../kinds/object/json.ts';

const ADVICE =
  'API server dedups owner references in 1.20+, and may reject such requests as early as 1.24; ' +
  'please fix your requests';

/**
 * Leaves one of each of the object's owners that are named more than once, and returns the warning about them.
 * A patch is looked at later than an object that is sent whole, and its warning says so.
 */
export function withoutOwnerDuplicates({ metadata }: ApiObject, isPatched = false): string[] {
  const owners = metadata?.ownerReferences ?? [];
  if (metadata === undefined || owners.length < 2) return [];
  const kept = new Map<string, (typeof owners)[number]>();
  const again: string[] = [];
  for (const owner of owners) {
    const { apiVersion, kind, name, uid = '', controller, blockOwnerDeletion } = owner;
    const text = JSON.stringify([apiVersion, kind, name, uid, controller ?? null, blockOwnerDeletion ?? null]);
    if (kept.has(text)) again.push(String(uid));
    else kept.set(text, owner);
  }
  if (again.length === 0) return [];
  metadata.ownerReferences = [...kept.values()];
  const when = isPatched ? ' after mutating admission happens' : '';
  const uids = again.join(', ');
  return [`.metadata.ownerReferences contains duplicate entries${when}; ${ADVICE}; duplicate UID(s) observed: ${uids}`];
}
