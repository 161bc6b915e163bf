import type { Pod } from '../../api/pod.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Expectations, UidExpectations } from '../../client/expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { uidOf } from '../job/pod-state.ts';
import { messageOf } from '../job/sync-error.ts';
import { controllerReference, GENERATE_NAME_MAX, isNamespaceTerminating, slowStartBatch } from '../pod-creation.ts';
import { podsToDelete } from './rank-pods.ts';

export interface ReplicaWriting {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly creations: Expectations;
  readonly deletions: UidExpectations;
  readonly key: string;
  readonly set: ReplicaSet;
}

type Outcome = { readonly error: unknown } | undefined;

/** Creates pods in batches. Creations that are refused or not tried are removed from the expectations. */
export function createReplicas({ client, recorder, creations, key, set }: ReplicaWriting, count: number): Outcome {
  creations.expectCreations(key, count);
  const pod = newPod(set);
  const { created, failed, error } = slowStartBatch(count, () => {
    try {
      const { metadata } = client.create('pods', pod);
      recorder.event(set, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata?.name}`);
    } catch (caught) {
      if (!isNamespaceTerminating(caught)) {
        recorder.event(set, 'Warning', 'FailedCreate', `Error creating: ${messageOf(caught)}`);
      }
      throw caught;
    }
  });
  creations.lower(key, count - created, 0);
  return failed === 0 ? undefined : { error };
}

export function deleteReplicas(
  { client, recorder, deletions, key, set }: ReplicaWriting,
  present: readonly Pod[],
  count: number,
): Outcome {
  const unwanted = podsToDelete(present, count);
  deletions.expect(key, unwanted.map(uidOf));
  let failure: Outcome;
  for (const pod of unwanted) {
    const { namespace = '', name = '' } = pod.metadata ?? {};
    try {
      client.delete('pods', namespace, name);
      recorder.event(set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      // No watch event will report this deletion.
      deletions.observed(key, uidOf(pod));
      if (isApiError(error, 'NotFound')) continue;
      recorder.event(set, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      failure ??= { error };
    }
  }
  return failure;
}

function newPod(set: ReplicaSet): Pod {
  const { namespace, name = '' } = set.metadata ?? {};
  const { metadata, spec } = set.spec?.template ?? {};
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    metadata: {
      generateName: `${name.slice(0, GENERATE_NAME_MAX - 1)}-`,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference('apps/v1', 'ReplicaSet', set)],
    },
    spec,
  };
}
