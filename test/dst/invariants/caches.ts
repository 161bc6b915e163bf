import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Informers } from '../../../src/client/informer/informers.ts';
import { type Mirror, nameOf, uidOf } from '../mirror.ts';
import type { Violated } from '../violation.ts';

const RESOURCES = ['pods', 'nodes', 'jobs'] as const;

/** Whether a cache has come as far as the last write of each resource. */
export function isCaughtUp(informers: Informers, mirror: Mirror): boolean {
  return RESOURCES.every((resource) => hasSeenLast(informers, mirror, resource));
}

/** Whatever has come as far as the store holds what the store holds. */
export function checkInformers(whose: string, informers: Informers, mirror: Mirror, violated: Violated): void {
  for (const resource of RESOURCES) {
    if (!hasSeenLast(informers, mirror, resource)) continue;
    const cached: readonly KubernetesObject[] = informers.of(resource).lister.list();
    const stored: ReadonlyMap<string, KubernetesObject> = mirror[resource];
    const different = cached.filter(
      (object) => stored.get(uidOf(object))?.metadata?.resourceVersion !== object.metadata?.resourceVersion,
    );
    if (different.length === 0 && cached.length === stored.size) continue;
    const names = different.map(nameOf).join(', ');
    violated(
      'informer cache = store',
      `${whose}: ${cached.length} of ${stored.size} ${resource}; other than in the store: ${names}`,
    );
  }
}

function hasSeenLast(informers: Informers, mirror: Mirror, resource: (typeof RESOURCES)[number]): boolean {
  const informer = informers.of(resource);
  return informer.hasSynced() && Number(informer.lastSyncResourceVersion) >= mirror.versions[resource];
}
