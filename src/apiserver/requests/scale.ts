import type { LabelSelector } from '../../api/label-selector.ts';
import { formatLabelSelector } from '../../api/label-selector-text.ts';
import { groupVersionText, type ScalePaths } from '../../kinds/object/api-resource.ts';
import { invalidValue } from '../../kinds/object/field-errors.ts';
import {
  type ApiMetadata,
  type ApiObject,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { badRequest, internalError, notFound, refuseInvalid, unclassified } from '../../kinds/object/refusals.ts';
import { combined } from '../../lib/combined.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { type UpdateOptions, updateObject } from './object-updates.ts';
import { applied, patched, patchTypeOf } from './patch.ts';
import { writeOptions } from './query.ts';
import { readObject } from './read-object.ts';
import { managersOfScale, managersOfScaled } from './scale-managers.ts';
import { warned } from './warned.ts';

const SCALE = { group: 'autoscaling', kind: 'Scale' };

/** The schema of Scale in the place of the resource's own. @throws StatusError */
function scaleSchema({ modules, served }: ResourceRequest): ServedResource {
  const schema = modules.registry.schemaOf('autoscaling', 'v1', 'Scale');
  if (schema === undefined) throw unclassified('scales are not served');
  return { resource: served.resource, schema };
}

function stored({ modules, served, namespace, name }: ResourceRequest): ApiObject {
  const found = modules.storages.of(served).get(namespace, name);
  if (found === undefined) throw notFound(served.resource, name);
  return found;
}

/** GET of a scale. That of a custom resource needs its number of replicas. @throws StatusError */
export function getScale(asked: ResourceRequest): Answer {
  const object = stored(asked);
  const { scalePaths } = asked.served.resource;
  if (scalePaths !== undefined && memberAt(object, scalePaths.specReplicas) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(scalePaths.specReplicas)} does not exist`);
  }
  return answerOf(scaleSchema(asked), scaleOf(object, scalePaths));
}

/** PUT of a Scale: it changes nothing but the number of replicas. @throws StatusError */
export function putScale(asked: ResourceRequest): Answer {
  const { modules, request } = asked;
  const options = writeOptions(request.query, 'UpdateOptions');
  const scale = scaleSchema(asked);
  const { object, warnings } = readObject(modules, request, scale.schema, options.fieldValidation);
  checkName(asked, object.metadata ?? {});
  return warned(warnings, () => scaled(asked, object, options, warnings));
}

/** PATCH of a Scale. @throws StatusError */
export function patchScale(asked: ResourceRequest): Answer {
  const ofScale = { ...asked, served: scaleSchema(asked) };
  const type = patchTypeOf(ofScale);
  const options = writeOptions(asked.request.query, 'PatchOptions', type === 'apply');
  const { resource } = asked.served;
  const old = stored(asked);
  const scale = scaleOf(old, resource.scalePaths);
  if (type !== 'apply') {
    const { object, warnings } = patched(ofScale, scale, type, options);
    return warned(warnings, () => scaled(asked, object, options, warnings));
  }
  const path = resource.scalePaths?.specReplicas ?? WORKLOAD_PATHS.specReplicas;
  const { managedFields } = old.metadata ?? {};
  const owners = managersOfScale(managedFields, path);
  const live = owners === undefined ? scale : { ...scale, metadata: { ...scale.metadata, managedFields: owners } };
  const { object, warnings } = applied(ofScale, live as ApiObject, options);
  checkName(asked, object.metadata ?? {});
  const how = { path, apiVersion: groupVersionText(resource) };
  const managers = managersOfScaled(managedFields, object.metadata?.managedFields, how);
  return warned(warnings, () => scaled(asked, object, combined(options, { isApply: true, managers }), warnings));
}

/** @throws StatusError BadRequest */
function checkName({ name }: ResourceRequest, metadata: ApiMetadata): void {
  if (!metadata.name) {
    throw badRequest(`the name of the object (${name} based on URL) was undeterminable: name must be provided`);
  }
  if (metadata.name === name) return;
  throw badRequest(`the name of the object (${metadata.name}) does not match the name on the URL (${name})`);
}

interface ScaleOptions extends UpdateOptions {
  /** Who has set which fields of the scaled object after an apply to its Scale. */
  readonly managers?: JsonObject[] | undefined;
}

function scaled(asked: ResourceRequest, scale: ApiObject, options: ScaleOptions, warnings: readonly string[]): Answer {
  const old = stored(asked);
  const { scalePaths } = asked.served.resource;
  const { replicas = 0 } = (scale['spec'] ?? {}) as { replicas?: number };
  if (replicas < 0 && scalePaths === undefined) {
    const error = invalidValue('spec.replicas', replicas, 'must be greater than or equal to 0');
    refuseInvalid(SCALE, asked.name, [error]);
  }
  const metadata: ApiMetadata = { ...old.metadata };
  const version = scale.metadata?.resourceVersion;
  if (version === undefined) delete metadata.resourceVersion;
  else metadata.resourceVersion = version;
  if (options.managers !== undefined) metadata.managedFields = options.managers;
  const object = { ...withMember(old, scalePaths?.specReplicas ?? '.spec.replicas', replicas), metadata } as ApiObject;
  const result = updateObject({ ...asked, subresource: '' }, object, old, { ...options, managedAs: 'scale' });
  return answerOf(scaleSchema(asked), scaleOf(result, scalePaths), { warnings });
}

const WORKLOAD_PATHS: ScalePaths = {
  specReplicas: '.spec.replicas',
  statusReplicas: '.status.replicas',
  labelSelector: '.spec.selector',
};

/** The Scale of a workload, with the workload's own uid and version. */
function scaleOf(object: ApiObject, paths = WORKLOAD_PATHS): ApiObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata ?? {};
  const metadata = { name, namespace, uid, resourceVersion, creationTimestamp } as ApiMetadata;
  const replicas = memberAt(object, paths.specReplicas) ?? 0;
  const running = memberAt(object, paths.statusReplicas) ?? 0;
  // A definition need not say where the selector is.
  const selector = paths.labelSelector === '' ? undefined : memberAt(object, paths.labelSelector);
  // A custom resource has its selector as text.
  const text = typeof selector === 'string' ? selector : selectorText(selector as JsonObject | undefined);
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: running, ...(text === '' ? {} : { selector: text }) },
  };
}

function memberAt(object: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = object;
  for (const name of path.split('.').slice(1)) at = isJsonObject(at) ? at[name] : undefined;
  return at;
}

/** A copy of the object with a member set, and with what is missing on the way to it. */
function withMember(object: JsonObject, path: string, value: JsonValue): JsonObject {
  const [name = '', ...rest] = path.split('.').slice(1);
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = object[name];
  return { ...object, [name]: withMember(isJsonObject(inner) ? inner : {}, `.${rest.join('.')}`, value) };
}

/** The selector as text; that of a replication controller is a plain map. */
function selectorText(selector: JsonObject | undefined): string {
  if (selector === undefined) return '';
  const isPlain = selector['matchLabels'] === undefined && selector['matchExpressions'] === undefined;
  const full = isPlain ? { matchLabels: selector } : selector;
  return formatLabelSelector(full as unknown as LabelSelector);
}
