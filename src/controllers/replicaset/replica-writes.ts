import type { Pod } from '../../api/pod.ts';
import type { ReplicaSet } from '../../api/workloads.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Expectations, UidExpectations } from '../../client/expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { GENERATE_NAME_MAX, isNamespaceTerminating, slowStartBatch } from '../pod-creation.ts';
import { controllerReferenceTo } from './claim.ts';
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
      event(recorder, set, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata?.name}`);
    } catch (caught) {
      if (!isNamespaceTerminating(caught)) {
        event(recorder, set, 'Warning', 'FailedCreate', `Error creating: ${textOf(caught)}`);
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
  deletions.expect(
    key,
    unwanted.map((pod) => uidOf(pod)),
  );
  let failure: Outcome;
  for (const pod of unwanted) {
    const { namespace = '', name = '' } = pod.metadata ?? {};
    try {
      client.delete('pods', namespace, name);
      event(recorder, set, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      // No watch event will report this deletion.
      deletions.observed(key, uidOf(pod));
      if (isApiError(error, 'NotFound')) continue;
      event(recorder, set, 'Warning', 'FailedDelete', `Error deleting: ${textOf(error)}`);
      failure ??= { error };
    }
  }
  return failure;
}

function uidOf({ metadata }: Pod): string {
  return metadata?.uid ?? '';
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
      ownerReferences: [controllerReferenceTo(set)],
    },
    spec,
  };
}

function event(
  recorder: EventRecorder,
  { metadata }: ReplicaSet,
  type: 'Normal' | 'Warning',
  reason: string,
  message: string,
): void {
  recorder.event({ apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata }, type, reason, message);
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
