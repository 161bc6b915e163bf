import type { Informers } from '../../client/informer/informers.ts';
import type { ReportError } from '../../client/report-error.ts';
import type { EventLoop } from '../../lib/event-loop.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { podGcApi } from './pod-gc-api.ts';
import { PodGcController } from './pod-gc-controller.ts';

export interface PodGcControllerModules {
  readonly client: StoreClient;
  readonly informers: Informers;
  readonly loop: EventLoop;
  readonly reportError: ReportError;
  /** How many terminated pods are kept; 0 or less: all. */
  readonly terminatedPodThreshold?: number;
}

/** A pod garbage collector that uses the caches of these informers, and waits for them when it is started. */
export function newPodGcController({ client, informers, ...modules }: PodGcControllerModules): PodGcController {
  const [pods, nodes] = [informers.of('pods'), informers.of('nodes')];
  return new PodGcController({
    ...modules,
    api: podGcApi(client),
    pods: pods.lister,
    nodes: nodes.lister,
    hasSynced: () => pods.hasSynced() && nodes.hasSynced(),
  });
}
