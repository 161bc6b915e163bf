import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Informers } from '../../../src/client/informer/informers.ts';
import type { Cluster } from '../../../src/cluster/cluster.ts';
import { type Mirror, nameOf, uidOf } from '../mirror.ts';
import type { Violated } from '../violation.ts';

type Cached = 'pods' | 'nodes' | 'jobs';

/** Caches of somebody, and what he asks of them: what nobody asks for is not cached. */
export interface Caches {
  readonly whose: string;
  readonly informers: Informers;
  readonly resources: readonly Cached[];
}

/** The caches of the scheduler and the agents, and those of the controllers that run now. */
export function cachesOf(cluster: Cluster): { readonly shared: Caches; readonly controllers: Caches } {
  return {
    shared: { whose: 'the cluster', informers: cluster.informers, resources: ['pods', 'nodes'] },
    controllers: {
      ...{ whose: 'the controllers', informers: cluster.controllerInformers },
      resources: ['pods', 'nodes', 'jobs'],
    },
  };
}

/** Whether the caches have come as far as the last write of each resource. */
export function isCaughtUp({ informers, resources }: Caches, mirror: Mirror): boolean {
  return resources.every((resource) => hasSeenLast(informers, mirror, resource));
}

/** Whatever has come as far as the store holds what the store holds. */
export function checkCaches({ whose, informers, resources }: Caches, mirror: Mirror, violated: Violated): void {
  for (const resource of resources) {
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

function hasSeenLast(informers: Informers, mirror: Mirror, resource: Cached): boolean {
  const informer = informers.of(resource);
  return informer.hasSynced() && Number(informer.lastSyncResourceVersion) >= mirror.versions[resource];
}
