import { timeAtMillis } from '../../api/time.ts';
import type { ApiMetadata, ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { badRequest, conflict, notFound, unclassified } from '../../kinds/object/refusals.ts';
import type { Answer, ResourceRequest } from '../context/context.ts';
import { otherUid } from '../metadata/other-uid.ts';
import { checkNamespace } from './create.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';

const PODS = { group: '', resource: 'pods' };
const BINDINGS = { group: '', resource: 'pods/binding' };

/** POST of a Binding, to `/bindings` or to the subresource of a pod. @throws StatusError */
export function bind(asked: ResourceRequest): Answer {
  const { modules, request, namespace } = asked;
  const options = writeOptions(request.query, 'CreateOptions');
  const schema = modules.registry.schemaOf('', 'v1', 'Binding');
  if (schema === undefined) throw unclassified('bindings are not served');
  const { object, warnings } = readObject(modules, request, schema, options.fieldValidation);
  const metadata = { ...object.metadata };
  checkNamespace(metadata, namespace);
  const { name = '' } = metadata;
  if (asked.name !== '' && asked.name !== name) throw badRequest('name in URL does not match name in Binding object');
  checkTarget((object['target'] ?? {}) as JsonObject);
  const served = modules.registry.find('', 'v1', 'pods') as ServedResource;
  const storage = modules.storages.of(served);
  const pod = storage.get(namespace, name);
  if (pod === undefined) throw notFound(PODS, name);
  checkUid(pod, metadata, namespace);
  const { name: node = '' } = object['target'] as { name?: string };
  const bound = boundPod(pod, node, metadata, timeAtMillis(modules.clock.nowMillis()));
  if (!options.isDryRun) storage.replace(bound, pod);
  return { type: 'object', status: 201, object: created(), warnings };
}

/** The Status that answers what was done and shows no object. */
export function created(): JsonObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
}

/** @throws StatusError without a reason */
function checkTarget({ kind = '', name = '' }: JsonObject): void {
  if (kind !== '' && kind !== 'Node') {
    throw unclassified(`target.kind: Unsupported value: ${JSON.stringify(kind)}: supported values: "Node", "<empty>"`);
  }
  if (name === '') throw unclassified('target.name: Required value');
}

/** @throws StatusError Conflict */
function checkUid({ metadata: pod }: ApiObject, { uid }: ApiMetadata, namespace: string): void {
  if (!uid || uid === pod?.uid) return;
  throw otherUid(PODS, { namespace, name: pod?.name ?? '', uid, found: pod?.uid });
}

function boundPod(pod: ApiObject, node: string, given: ApiMetadata, now: string): ApiObject {
  const { name = '', deletionTimestamp } = pod.metadata ?? {};
  const spec = (pod['spec'] ?? {}) as JsonObject;
  const refuse = (why: string): Error => conflict(BINDINGS, name, `pod ${name} ${why}`);
  if (deletionTimestamp !== undefined) throw refuse('is being deleted, cannot be assigned to a host');
  if (spec['nodeName']) throw refuse(`is already assigned to node ${JSON.stringify(spec['nodeName'])}`);
  if (((spec['schedulingGates'] ?? []) as unknown[]).length > 0) throw refuse('has non-empty .spec.schedulingGates');
  const metadata = { ...pod.metadata };
  if (given.annotations !== undefined) metadata.annotations = { ...metadata.annotations, ...given.annotations };
  if (given.labels !== undefined) metadata.labels = { ...metadata.labels, ...given.labels };
  const condition = { type: 'PodScheduled', status: 'True', lastProbeTime: null, lastTransitionTime: now };
  const status = (pod['status'] ?? {}) as JsonObject;
  const others = ((status['conditions'] ?? []) as JsonObject[]).filter(({ type }) => type !== 'PodScheduled');
  const { nominatedNodeName: _, ...kept } = status;
  return {
    ...pod,
    metadata,
    spec: { ...spec, nodeName: node },
    status: { ...kept, conditions: [...others, condition] },
  } as ApiObject;
}
