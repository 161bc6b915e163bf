import type { ObjectMeta } from '../api/meta.ts';
import type { Pod } from '../api/pod.ts';
import { withPodCondition } from '../api/pod-conditions.ts';
import { isObject, type Problem } from '../api/validation/check.ts';
import { annotations, labels } from '../api/validation/metadata.ts';
import { object, string } from '../api/validation/shapes.ts';
import { ApiError, conflict, failedPrecondition, invalid } from './api-error.ts';
import { frozenCopy } from './frozen-copy.ts';
import { updatedMetadata } from './metadata.ts';
import type { Binding } from './store-client.ts';

/**
 * The pod as it is once it is bound, frozen. Upstream: BindingREST in pkg/registry/core/pod/storage/storage.go.
 *
 * @throws ApiError Invalid, Conflict
 */
export function boundPod(pod: Pod, binding: Binding, nowMillis: number): Pod {
  const { metadata = {}, spec = {}, status = {} } = pod;
  const name = metadata.name ?? '';
  const problems = bindingProblems(binding);
  if (problems.length > 0) throw invalid('pods', name, problems);
  refuse(pod, binding);
  const { nominatedNodeName, ...kept } = status;
  return Object.freeze({
    ...pod,
    metadata: boundMetadata(metadata, binding),
    spec: Object.freeze({ ...spec, nodeName: binding.target.name }),
    status: frozenCopy(withPodCondition(kept, { type: 'PodScheduled', status: 'True' }, nowMillis), status),
  });
}

function boundMetadata(metadata: ObjectMeta, { metadata: additions }: Binding): ObjectMeta {
  if (!additions?.labels && !additions?.annotations) return metadata;
  const merged = {
    labels: { ...metadata.labels, ...additions.labels },
    annotations: { ...metadata.annotations, ...additions.annotations },
  };
  return updatedMetadata({ ...metadata, ...merged }, metadata);
}

function refuse({ metadata = {}, spec }: Pod, binding: Binding): void {
  const name = metadata.name ?? '';
  const uid = binding.metadata?.uid;
  if (uid && uid !== metadata.uid) throw conflict('pods', name, failedPrecondition('UID', uid, metadata.uid));
  if (metadata.deletionTimestamp !== undefined) {
    throw bindingConflict(name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (spec?.nodeName) throw bindingConflict(name, `pod ${name} is already assigned to node "${spec.nodeName}"`);
  if (spec?.schedulingGates?.length) throw bindingConflict(name, `pod ${name} has non-empty .spec.schedulingGates`);
}

const additions = object({ uid: string, labels, annotations });

function bindingProblems(binding: Binding): Problem[] {
  const target: unknown = isObject(binding) ? binding.target : undefined;
  if (!isObject(target)) return [{ field: 'target', reason: 'Required value' }];
  const { kind, name } = target;
  const problems: Problem[] = [];
  additions(binding.metadata, 'metadata', problems);
  if (kind !== undefined && kind !== '' && kind !== 'Node') {
    problems.push({
      field: 'target.kind',
      reason: `Unsupported value: ${JSON.stringify(kind)}: supported values: "Node"`,
    });
  }
  if (typeof name !== 'string' || name === '') problems.push({ field: 'target.name', reason: 'Required value' });
  return problems;
}

function bindingConflict(name: string, why: string): ApiError {
  return new ApiError('Conflict', `Operation cannot be fulfilled on pods/binding "${name}": ${why}`);
}
