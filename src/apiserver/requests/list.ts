import type { KubernetesObject } from '../../api/meta.ts';
import { type ApiResource, groupVersionText } from '../../kinds/object/api-resource.ts';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import { badRequest, expired } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { NODE_NAME } from '../../store/ledger/field-selector.ts';
import { FIRST_KEY, type ObjectKey } from '../../store/ledger/object-key.ts';
import type { ResourceRequest } from '../context/context.ts';
import type { ResourceStorage } from '../storage/resource-storage.ts';
import { type ContinueKey, decodeContinue, encodeContinue, inPresentState } from './continue-token.ts';
import { parseFieldSelector } from './field-selector.ts';
import { parseLabelSelector } from './label-selector.ts';
import { checkListOptions, type ListOptions, listOptions, versionIn } from './query.ts';

/** Which objects of a resource are meant. */
export interface Selection {
  readonly namespace: string | undefined;
  /** The only name that is selected; undefined if there can be several objects. */
  readonly name: string | undefined;
  /** The node that selected pods are on; undefined if it is not selected. */
  readonly nodeName: string | undefined;
  readonly isFiltered: boolean;
  /** Whether only complete objects can be asked: fields are selected that may have defaults. */
  readonly readsDefaults: boolean;
  matches(object: KubernetesObject | ApiObject): boolean;
}

/** @throws StatusError BadRequest */
export function selectionOf(
  { labelSelector, fieldSelector }: Pick<ListOptions, 'labelSelector' | 'fieldSelector'>,
  resource: ApiResource,
  namespace: string,
): Selection {
  const labels = parseLabelSelector(labelSelector);
  const fields = parseFieldSelector(fieldSelector, resource);
  const only = resource.isNamespaced && namespace !== '' ? namespace : undefined;
  return {
    namespace: only,
    name: only === undefined && resource.isNamespaced ? undefined : fields?.wanted('metadata.name'),
    nodeName: fields?.wanted(NODE_NAME),
    isFiltered: labels !== undefined || fields !== undefined,
    readsDefaults: fields?.readsDefaults === true,
    matches(object) {
      const { metadata } = object;
      if (only !== undefined && metadata?.namespace !== only) return false;
      if (labels !== undefined && !labels(metadata?.labels ?? {})) return false;
      return fields === undefined || fields.matches(object as JsonObject);
    },
  };
}

export interface ListedPage {
  /** The objects as they are stored. */
  readonly items: readonly KubernetesObject[];
  readonly storage: ResourceStorage;
  readonly metadata: JsonObject;
}

/** Lists what a request asks for. @throws StatusError */
export function listOf(asked: ResourceRequest): ListedPage {
  const { modules, request, served, namespace } = asked;
  const options = listOptions(request.query, false);
  const named = asked.name === '' ? options : withName(options, asked.name);
  const selection = selectionOf(named, served.resource, namespace);
  checkListOptions(options);
  return pageOf(modules.storages.of(served), selection, options);
}

export function withName(options: ListOptions, name: string): ListOptions {
  const only = `metadata.name=${name}`;
  return { ...options, fieldSelector: options.fieldSelector === '' ? only : `${options.fieldSelector},${only}` };
}

/** The version that a list names, 0 for any. @throws StatusError BadRequest */
function listVersion(text: string): number {
  const version = versionIn(text);
  if (typeof version === 'number') return version;
  throw badRequest(`invalid resource version: resourceVersion: Invalid value: ${JSON.stringify(text)}: ${version}`);
}

/** A version that the server has not reached. */
export function tooLargeVersion(wanted: number, current: number): StatusError {
  const cause = { reason: 'ResourceVersionTooLarge', message: 'Too large resource version' };
  const message = `Timeout: Too large resource version: ${wanted}, current: ${current}`;
  return new StatusError(504, 'Timeout', message, { causes: [cause], retryAfterSeconds: 1 });
}

interface Start {
  readonly key: ObjectKey;
  readonly version: number;
}

function pageOf(storage: ResourceStorage, selection: Selection, options: ListOptions): ListedPage {
  const { limit, continueToken, resourceVersion, resourceVersionMatch } = options;
  const wanted = listVersion(resourceVersion);
  if (continueToken !== '' && wanted > 0) {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (wanted > storage.version) throw tooLargeVersion(wanted, storage.version);
  // A limited list of a version shows that version, as it always did before there was a choice.
  const isExact = resourceVersionMatch === 'Exact' || (resourceVersionMatch === '' && wanted > 0 && limit > 0);
  const start: Start =
    continueToken === ''
      ? { key: FIRST_KEY, version: isExact ? wanted : storage.version }
      : startOf(decodeContinue(continueToken), storage);
  if (start.version < storage.oldestVersion) {
    throw continueToken === ''
      ? expired('The resourceVersion for the provided list is too old.')
      : lostState(continueToken);
  }
  const isFromCache = resourceVersion === '0';
  const limitCount = limit > 0 && !isFromCache ? limit : Number.POSITIVE_INFINITY;
  return page(storage, selection, start, limitCount);
}

/** The state of the first page is forgotten. As upstream, the answer has a token to go on with in the present state. */
function lostState(continueToken: string): StatusError {
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. ' +
      'You can start a new list without the continue parameter, or use the continue token in this response to ' +
      'retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - ' +
      'objects that were created, modified, or deleted between the time the first chunk was returned and now ' +
      'may show up in the list.',
  );
  error.continueToken = inPresentState(continueToken);
  return error;
}

function startOf(token: ContinueKey, { version }: ResourceStorage): Start {
  const key = { namespace: token.namespace, name: token.name };
  return { key, version: token.version > 0 ? token.version : version };
}

function page(storage: ResourceStorage, selection: Selection, { key, version }: Start, limit: number): ListedPage {
  // As upstream, a list of one object has no further page, but what goes on from a token is not such a list.
  const name = key === FIRST_KEY ? selection.name : undefined;
  const isCurrent = version === storage.version;
  const onNode = isCurrent ? storage.storedOn(selection.nodeName) : null;
  // A full page goes on if any object is behind it, so that all have to be seen.
  const isShort = onNode !== null && onNode.length < limit;
  const present = isShort ? onNode : storage.storedFrom(selection.namespace, key, name);
  const objects = isCurrent ? present : storage.at(version, selection.namespace);
  const items: KubernetesObject[] = [];
  let remaining = 0;
  let last: KubernetesObject | undefined;
  for (const object of objects) {
    if (isBelow(object, key) || (name !== undefined && object.metadata?.name !== name)) continue;
    // Whether a full page has a next one is said by the objects behind it, whether they match or not.
    if (items.length === limit) {
      remaining++;
      if (selection.isFiltered) break;
    } else if (selection.matches(selection.readsDefaults ? storage.completed(object) : object)) {
      items.push(object);
      last = object;
    }
  }
  const metadata: JsonObject = { resourceVersion: String(version) };
  if (remaining > 0 && last !== undefined) {
    const { namespace = '', name = '' } = last.metadata ?? {};
    metadata['continue'] = encodeContinue({ namespace, name, version });
    if (!selection.isFiltered) metadata['remainingItemCount'] = remaining;
  }
  return { items, storage, metadata };
}

function isBelow({ metadata }: KubernetesObject, key: ObjectKey): boolean {
  const namespace = metadata?.namespace ?? '';
  if (namespace !== key.namespace) return namespace < key.namespace;
  return (metadata?.name ?? '') < key.name;
}

/** The list as an object: items of built-in kinds have no kind and version of their own. */
export function listObject(resource: ApiResource, { items, storage, metadata }: ListedPage): JsonObject {
  const shown = items.map((item) => storage.shown(item));
  return { ...listHead(resource, metadata), items: resource.isCustom ? shown : shown.map(withoutHead) };
}

/** The JSON text of the list in pieces. */
export function listPieces(resource: ApiResource, { items, storage, metadata }: ListedPage): readonly string[] {
  const { kind, apiVersion, ...rest } = listHead(resource, metadata);
  // What has no type is written with its members by name.
  const first = resource.isCustom ? { apiVersion } : { kind, apiVersion, ...rest };
  const last = resource.isCustom ? `,${JSON.stringify({ kind, ...rest }).slice(1)}` : '}';
  return [`${JSON.stringify(first).slice(0, -1)},"items":[`, ...storage.itemTexts(items), `]${last}`];
}

function listHead(resource: ApiResource, metadata: JsonObject): JsonObject {
  // Lists of custom resources have the member `continue` always.
  const shown = resource.isCustom ? { continue: '', ...metadata } : metadata;
  return { kind: resource.listKind, apiVersion: groupVersionText(resource), metadata: shown };
}

function withoutHead({ kind: _, apiVersion: __, ...rest }: ApiObject): ApiObject {
  return rest;
}
