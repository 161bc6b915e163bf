import type { KubernetesObject } from '../../api/meta.ts';
import { timeAtMillis } from '../../api/time.ts';
import { kindText } from '../../kinds/object/api-resource.ts';
import type { ApiMetadata, ApiObject } from '../../kinds/object/json.ts';
import { badRequest, refuseInvalid } from '../../kinds/object/refusals.ts';
import { combined } from '../../lib/combined.ts';
import { generatedName } from '../../store/objects/names.ts';
import { admitCreate, chargeCreate } from '../admission/admission.ts';
import { type Answer, answerOf, type ResourceRequest } from '../context/context.ts';
import { metadataErrors } from '../metadata/metadata-validation.ts';
import { hasFreeMetadata, nameRuleOf, pathSegment } from '../metadata/name-rules.ts';
import { existsAlready } from '../metadata/taken-name.ts';
import { dropDisabledFields } from '../strategies/disabled-fields.ts';
import { strategyOf } from '../strategies/strategies.ts';
import { managerOf } from './field-manager-name.ts';
import { type WriteOptions, writeOptions } from './query.ts';
import { readObject } from './read-object.ts';
import { storedAnswer } from './stored-answer.ts';
import { warned } from './warned.ts';

/** POST to a collection. @throws StatusError */
export function create(asked: ResourceRequest): Answer {
  const { modules, request, served, namespace } = asked;
  const { query, userAgent, body } = request;
  const storage = modules.storages.of(served);
  const like = modules.templates.like({ served, namespace, query, userAgent, isJson: isJson(request), body });
  const made = like && modules.templates.create(like);
  if (made !== undefined) return storedAnswer(served, storage, made, { status: 201 });
  const options = writeOptions(query, 'CreateOptions');
  const { object, warnings } = readObject(modules, request, served.schema, options.fieldValidation);
  const created = warned(warnings, () => createObject(asked, object, options));
  const how = { status: 201, warnings: [...warnings, ...served.schema.warnings(created, undefined)] };
  if (options.isDryRun) return answerOf(served, created, how);
  if (like !== undefined && how.warnings.length === 0) modules.templates.learn(like, created);
  return storedAnswer(served, storage, created as unknown as KubernetesObject, how);
}

function isJson({ contentType }: ResourceRequest['request']): boolean {
  return contentType === undefined || contentType === 'application/json';
}

/** Brings an object that was read into the store, or only shows what would be stored. @throws StatusError */
export function createObject(asked: ResourceRequest, object: ApiObject, options: WriteOptions): ApiObject {
  const { modules, served, namespace } = asked;
  const { resource, schema } = served;
  const metadata = newMetadata(asked, object);
  object.metadata = metadata;
  const now = timeAtMillis(modules.clock.nowMillis());
  // What admission and strategies change belongs to nobody.
  noteManagers(asked, object, options, now);
  admitCreate(asked, object);
  const strategy = strategyOf(resource);
  if (strategy.hasStatus && strategy.prepareCreate === undefined) delete object['status'];
  if (strategy.hasGeneration) metadata.generation = 1;
  else if (!resource.isCustom) delete metadata.generation;
  if (!metadata.name && metadata.generateName) metadata.name = generatedName(metadata.generateName, modules.names);
  strategy.prepareCreate?.(object, { now, ledger: modules.ledger, isDryRun: options.isDryRun });
  dropDisabledFields(kindText(resource), object, undefined, modules.features);
  const { name = '' } = metadata;
  const rule = nameRuleOf(kindText(resource));
  const errors = hasFreeMetadata(resource) ? [] : metadataErrors(metadata, rule, resource.isNamespaced);
  refuseInvalid(resource, name, schema.validate(object, errors));
  if (hasFreeMetadata(resource)) {
    refuseInvalid(resource, name, metadataErrors(metadata, pathSegment, resource.isNamespaced));
  }
  schema.setDefaults(object);
  const storage = modules.storages.of(served);
  if (metadata.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
  const existing = storage.get(namespace, name);
  if (existing !== undefined) throw existsAlready(resource, existing, name);
  chargeCreate(asked, object, options.isDryRun);
  if (options.isDryRun) return object;
  return storage.insert(object) ?? object;
}

/** The metadata of a new object: what only the server sets is made anew. @throws StatusError BadRequest */
function newMetadata({ modules, served, namespace }: ResourceRequest, { metadata = {} }: ApiObject): ApiMetadata {
  const { deletionTimestamp: _, deletionGracePeriodSeconds: __, selfLink: ___, ...given } = metadata;
  const given_ = given as ApiMetadata;
  checkNamespace(given_, served.resource.isNamespaced ? namespace : '');
  const own = { uid: modules.names.uid(), creationTimestamp: timeAtMillis(modules.clock.nowMillis()) };
  return combined(given_, served.resource.isNamespaced ? { namespace, ...own } : own);
}

/** Makes the object's namespace that of the request. @throws StatusError BadRequest, when it names another one */
export function checkNamespace(metadata: ApiMetadata, namespace: string): void {
  if (namespace === '') delete metadata.namespace;
  else if (metadata.namespace && metadata.namespace !== namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  } else metadata.namespace = namespace;
}

/** Notes in the metadata of a new object who has set which fields. */
function noteManagers(
  { request, served, subresource }: ResourceRequest,
  object: ApiObject,
  options: WriteOptions,
  now: string,
): void {
  if ((options as { readonly isApply?: boolean }).isApply) return;
  const manager = managerOf(options.fieldManager, request.userAgent);
  const metadata = object.metadata as ApiMetadata;
  const entries = served.schema.fields.updated(undefined, object, { manager, subresource, now });
  if (entries === undefined) delete metadata.managedFields;
  else metadata.managedFields = entries;
}
