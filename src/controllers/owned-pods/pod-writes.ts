import type { KubernetesObject } from '../../api/meta.ts';
import type { Pod } from '../../api/pod.ts';
import type { PodTemplate } from '../../api/pod-template.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { Expectations, UidExpectations } from '../../client/expectations.ts';
import { isApiError } from '../../store/objects/api-error.ts';
import type { StoreClient } from '../../store/objects/store-client.ts';
import { uidOf } from '../job/pod-state.ts';
import { messageOf } from '../job/sync-error.ts';
import { controllerReference, GENERATE_NAME_MAX, isNamespaceTerminating, slowStartBatch } from '../pod-creation.ts';
import type { Owner } from './claim.ts';

export interface PodWriting {
  readonly client: StoreClient;
  readonly recorder: EventRecorder;
  readonly creations: Expectations;
  readonly deletions: UidExpectations;
  readonly key: string;
  readonly owner: KubernetesObject;
}

/** The first error, if there was one. */
export type Outcome = { readonly error: unknown } | undefined;

/** Creates pods in batches. Creations that are refused or not tried are removed from the expectations. */
export function createPods(writing: PodWriting, count: number, podAt: (position: number) => Pod): Outcome {
  const { client, recorder, creations, key, owner } = writing;
  creations.expectCreations(key, count);
  const { created, failed, error } = slowStartBatch(count, (position) => {
    try {
      const { metadata } = client.create('pods', podAt(position));
      recorder.event(owner, 'Normal', 'SuccessfulCreate', `Created pod: ${metadata?.name}`);
    } catch (caught) {
      if (!isNamespaceTerminating(caught)) {
        recorder.event(owner, 'Warning', 'FailedCreate', `Error creating: ${messageOf(caught)}`);
      }
      throw caught;
    }
  });
  creations.lower(key, count - created, 0);
  return failed === 0 ? undefined : { error };
}

export function deletePods({ client, recorder, deletions, key, owner }: PodWriting, unwanted: readonly Pod[]): Outcome {
  deletions.expect(key, unwanted.map(uidOf));
  let failure: Outcome;
  for (const pod of unwanted) {
    const { namespace = '', name = '', uid } = pod.metadata ?? {};
    try {
      client.delete('pods', namespace, name, { preconditions: { uid } });
      recorder.event(owner, 'Normal', 'SuccessfulDelete', `Deleted pod: ${name}`);
    } catch (error) {
      // No watch event will report this deletion.
      deletions.observed(key, uidOf(pod));
      if (isApiError(error, 'NotFound') || isApiError(error, 'Conflict')) continue;
      recorder.event(owner, 'Warning', 'FailedDelete', `Error deleting: ${messageOf(error)}`);
      failure ??= { error };
    }
  }
  return failure;
}

/** A pod of the template that the owner controls; the API completes its name. */
export function podOfTemplate({ apiVersion, kind, object }: Owner, { metadata, spec }: PodTemplate): Pod {
  const { namespace, name = '' } = object.metadata ?? {};
  const { labels, annotations, finalizers } = metadata ?? {};
  return {
    metadata: {
      generateName: `${name.slice(0, GENERATE_NAME_MAX - 1)}-`,
      namespace,
      ...(labels && { labels }),
      ...(annotations && { annotations }),
      ...(finalizers && { finalizers }),
      ownerReferences: [controllerReference(apiVersion, kind, object)],
    },
    spec,
  };
}
