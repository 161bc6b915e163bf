import { stringify } from 'yaml';
import type { ApiObject, JsonObject } from '../../kinds/object/json.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import type { ObjectAnswer, StreamEvent } from '../context/context.ts';
import type { AcceptedType, Conversion } from '../context/media-types.ts';
import { type IncludeObject, includeObjectIn, partialOf, tableOf } from './tables.ts';

/** How answers are shown to one client. */
export interface Presentation {
  readonly accepted: AcceptedType;
  readonly query: URLSearchParams;
  readonly nowMillis: number;
}

/** The object of an answer in the form that the client asked for. @throws StatusError */
export function shownObject(answer: ObjectAnswer, { accepted, query, nowMillis }: Presentation): JsonObject {
  const { conversion } = accepted;
  const { object, served } = answer;
  if (served === undefined || answer.status >= 400) return object;
  if (conversion === undefined) return object['kind'] === served.resource.kind ? served.schema.ordered(object) : object;
  const isList = Array.isArray(object['items']);
  if (conversion.kind === 'Table') {
    const includes = includeObjectIn(query);
    const objects = isList ? listItems(object, served) : [object as ApiObject];
    const metadata = isList ? (object as ApiObject).metadata : ownVersion(object);
    return tableOf(served, objects, metadata ?? {}, {
      version: conversion.version,
      includes,
      nowMillis,
      describesColumns: true,
    });
  }
  return partial(object, isList, conversion, served);
}

function partial(
  object: JsonObject,
  isList: boolean,
  { kind, version }: Conversion,
  served: ServedResource,
): JsonObject {
  if (isList !== (kind === 'PartialObjectMetadataList')) throw wrongShape(isList, served);
  if (!isList) return partialOf(object, version);
  const items = listItems(object, served).map((item) => partialOf(item, version));
  return { kind, apiVersion: `meta.k8s.io/${version}`, metadata: (object as ApiObject).metadata ?? {}, items };
}

function wrongShape(isList: boolean, { resource }: ServedResource): StatusError {
  const { group, kind, listKind } = resource;
  const type = `*${group === '' ? 'core' : group.split('.')[0]}.${isList ? listKind : kind}`;
  const message = isList
    ? `you requested PartialObjectMetadata, but the requested object is a list (${type})`
    : `you requested PartialObjectMetadataList, but the requested object is not a list (${type})`;
  return new StatusError(406, 'NotAcceptable', message);
}

function ownVersion(object: ApiObject): JsonObject {
  const { resourceVersion } = object.metadata ?? {};
  return resourceVersion === undefined ? {} : { resourceVersion };
}

/** The items of a list with their kind and version, which lists of built-in kinds leave out. */
function listItems(list: JsonObject, { resource }: ServedResource): ApiObject[] {
  const apiVersion = resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
  return (list['items'] as ApiObject[]).map((item) => ({ kind: resource.kind, apiVersion, ...item }));
}

/** Whether objects are shown as they are, as JSON without indents. */
export function isPlainJson({ mediaType, conversion, isPretty }: AcceptedType, query: URLSearchParams): boolean {
  return mediaType === 'application/json' && conversion === undefined && !indentsIn(isPretty, query);
}

function indentsIn(isPretty: boolean, query: URLSearchParams): boolean {
  return isPretty || ['true', '1'].includes(query.get('pretty') ?? '');
}

/** The text of an object, and its Content-Type. */
export function encoded(
  object: JsonObject,
  { mediaType, isPretty }: AcceptedType,
  query: URLSearchParams,
): {
  text: string;
  contentType: string;
} {
  if (mediaType === 'application/yaml') {
    const text = stringify(JSON.parse(JSON.stringify(object)), { sortMapEntries: true, lineWidth: 0 });
    return { text, contentType: mediaType };
  }
  return {
    text: indentsIn(isPretty, query) ? JSON.stringify(object, null, 2) : `${JSON.stringify(object)}\n`,
    contentType: mediaType,
  };
}

/** Turns the events of one watch into the form that its client asked for. */
export class EventPresenter {
  readonly #served: ServedResource;
  readonly #conversion: Conversion | undefined;
  readonly #includes: IncludeObject;
  readonly #nowMillis: () => number;
  #hasColumns = false;

  /** @throws StatusError */
  constructor(served: ServedResource, { accepted, query }: Presentation, nowMillis: () => number) {
    this.#served = served;
    this.#conversion = accepted.conversion;
    this.#includes = includeObjectIn(query);
    this.#nowMillis = nowMillis;
  }

  /** Whether objects are shown in another form than their own. */
  get converts(): boolean {
    return this.#conversion !== undefined;
  }

  line({ type, object, stored }: StreamEvent): string {
    if (stored !== undefined && this.#conversion === undefined) {
      return `{"type":"${type}","object":${stored.text()}}\n`;
    }
    return `${JSON.stringify({ type, object: this.#shown(type, object) })}\n`;
  }

  #shown(type: StreamEvent['type'], object: JsonObject): JsonObject {
    const conversion = this.#conversion;
    if (conversion === undefined || type === 'ERROR') return object;
    const { kind, version } = conversion;
    if (kind !== 'Table') return partialOf(object, version);
    const describesColumns = !this.#hasColumns;
    this.#hasColumns = true;
    const options = { version, includes: this.#includes, nowMillis: this.#nowMillis(), describesColumns };
    return tableOf(this.#served, [object], ownVersion(object), options);
  }
}
