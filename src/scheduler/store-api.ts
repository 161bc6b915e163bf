import type { Pod } from '../api/pod.ts';
import type { EventRecorder } from '../client/events/event-recorder.ts';
import type { StoreClient } from '../store/objects/store-client.ts';
import type { SchedulerApi, SchedulingEventRecorder } from './scheduler-api.ts';

/** The calls to the API that a scheduler needs. */
export type Client = Pick<StoreClient, 'bind' | 'create' | 'get' | 'patch' | 'delete' | 'update' | 'updateStatus'>;

/** The writes of the scheduler, as calls to a store. */
export function storeApi(client: Client): SchedulerApi {
  return {
    bindPod({ metadata }, nodeName) {
      const binding = { metadata: { uid: metadata?.uid }, target: { kind: 'Node', name: nodeName } };
      return client.bind(metadata?.namespace ?? '', metadata?.name ?? '', binding);
    },
    patchPodStatus(namespace, name, body, outcome) {
      client.patch('pods', namespace, name, { type: 'strategic', body, outcome }, 'status');
    },
    patchPodGroupStatus(namespace, name, body) {
      client.patch('podgroups', namespace, name, { type: 'strategic', body }, 'status');
    },
    deletePod(namespace, name) {
      client.delete('pods', namespace, name);
    },
    updatePersistentVolume: (volume) => client.update('persistentvolumes', volume),
    updatePersistentVolumeClaim: (claim) => client.update('persistentvolumeclaims', claim),
    createResourceClaim: (claim) => client.create('resourceclaims', claim),
    deleteResourceClaim(namespace, name) {
      client.delete('resourceclaims', namespace, name);
    },
    getResourceClaim: (namespace, name) => client.get('resourceclaims', namespace, name),
    updateResourceClaim: (claim) => client.update('resourceclaims', claim),
    updateResourceClaimStatus(claim, before) {
      const outcome = before === undefined || claim.status === undefined ? undefined : { before, after: claim.status };
      return client.updateStatus('resourceclaims', claim, outcome);
    },
    patchResourceClaimStatus(namespace, name, body) {
      client.patch('resourceclaims', namespace, name, { type: 'strategic', body }, 'status');
    },
  };
}

/** Records events of the core API, which have no action and no related object. */
export function coreEvents(recorder: EventRecorder): SchedulingEventRecorder {
  return {
    event(regarding: Pod, _related, type, reason, _action, note) {
      recorder.event(regarding, type, reason, note);
    },
  };
}
