import { type ApiResource, kindText } from '../../kinds/object/api-resource.ts';
import type { ServedResource } from '../../kinds/object/kind-schema.ts';
import { badRequest, methodNotAllowed, notFound, unknownResource } from '../../kinds/object/refusals.ts';
import { StatusError } from '../../kinds/object/status-error.ts';
import { parseDuration } from '../../lib/go-duration.ts';
import type { Answer, ApiModules, ApiRequest, ResourceRequest } from '../context/context.ts';
import { accepted, type Offers } from '../context/media-types.ts';
import { DEFINITIONS_GROUP } from '../definitions/definitions.ts';
import { create } from '../requests/create.ts';
import { deleteCollection, deleteOne } from '../requests/delete.ts';
import { getOne, list } from '../requests/get.ts';
import { patch } from '../requests/patch.ts';
import { bind } from '../requests/pod-binding.ts';
import { listOptions } from '../requests/query.ts';
import { isReview, review } from '../requests/reviews.ts';
import { subresourceHandler } from '../requests/subresources.ts';
import { update } from '../requests/update.ts';
import { watch } from '../requests/watch.ts';
import { fixedAnswer, groupAnswer, pageNotFound, versionAnswer } from './fixed-paths.ts';
import { parsePath, type ResourcePath } from './request-path.ts';

export type Handler = (asked: ResourceRequest) => Answer | Promise<Answer>;

/** Answers a request. @throws StatusError */
export function route(modules: ApiModules, request: ApiRequest): Answer | Promise<Answer> {
  const path = parsePath(request.path);
  if (path === undefined) return pageNotFound();
  switch (path.to) {
    case 'fixed':
      return fixedAnswer(modules, request, path.path);
    case 'group':
      return groupAnswer(modules, request, path.group);
    case 'version':
      return versionAnswer(modules, request, path.group, path.version);
    case 'resource':
      return resourceAnswer(modules, request, path);
  }
}

function resourceAnswer(modules: ApiModules, request: ApiRequest, path: ResourcePath): Answer | Promise<Answer> {
  const { registry } = modules;
  const served = registry.find(path.group, path.version, path.resource);
  if (served === undefined) {
    if (!registry.hasGroup(path.group) || registry.isCustomGroup(path.group)) return pageNotFound();
    throw unknownResource();
  }
  if (!fits(path, served)) {
    if (!served.resource.isCustom) throw unknownResource();
    // A custom resource answers for the subresources that it does not have.
    const isWhole = fits({ ...path, subresource: '' }, served);
    if (path.subresource !== '' && !path.isWatch && isWhole) throw notFound(served.resource, path.name);
    return pageNotFound();
  }
  const handler = handlerOf(request.method, path, served);
  if (path.name === '.' || path.name === '..') {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(path.name)}: may not be '${path.name}'`);
  }
  const streams = path.name === '' || path.isWatch;
  const form = accepted(request.accept, offersOf(served, path), streams && served.resource.verbs.includes('watch'));
  checkTimeout(request.query.get('timeout'));
  const { namespace, name, subresource, isWatch: isWatchPath } = path;
  const asked = { modules, request, served, namespace, name, subresource, isWatchPath, accepted: form };
  const warning = DEPRECATED[kindText(served.resource)] ?? served.resource.deprecation;
  const isWrite = request.method !== 'GET';
  if (path.group === DEFINITIONS_GROUP && isWrite) return withDefinitions(handler, asked);
  if (served.resource.isCustom && isWrite && modules.definitions.isTerminating(served.resource)) {
    if (request.method === 'POST') throw noCreate(served.resource);
    return withDefinitions(handler, asked);
  }
  return warning === undefined ? handler(asked) : withWarning(handler, asked, warning);
}

/** Nothing is created while the definition waits for the last of its objects. */
function noCreate({ group, resource }: ApiResource): StatusError {
  const message = 'create not allowed while custom resource definition is terminating';
  return new StatusError(405, 'MethodNotAllowed', message, { group, kind: resource });
}

/** @throws StatusError BadRequest */
function checkTimeout(text: string | null): void {
  if (text === null || text === '' || typeof parseDuration(text) === 'bigint') return;
  throw badRequest(`invalid timeout specified in the request URL - time: invalid duration ${JSON.stringify(text)}`);
}

/** What definitions define is served as soon as they are written, and gone with them. */
async function withDefinitions(handler: Handler, asked: ResourceRequest): Promise<Answer> {
  const { modules, request, name } = asked;
  const isDefinition = asked.served.resource.group === DEFINITIONS_GROUP;
  const isDelete = isDefinition && request.method === 'DELETE' && !request.query.has('dryRun');
  if (isDelete && name !== '') modules.definitions.markForDeletion(name);
  const answer = await handler(asked);
  modules.definitions.sync();
  return answer;
}

/** Kinds whose every use is answered with a warning. */
const DEPRECATED: Readonly<Record<string, string>> = {
  Endpoints: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  ComponentStatus: 'v1 ComponentStatus is deprecated in v1.19+',
};

async function withWarning(handler: Handler, asked: ResourceRequest, warning: string): Promise<Answer> {
  try {
    const answer = await handler(asked);
    return answer.type === 'object' ? { ...answer, warnings: [warning, ...(answer.warnings ?? [])] } : answer;
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [warning, ...error.warnings];
    throw error;
  }
}

/** Whether the path has the shape of the resource's paths. */
function fits({ namespace, name, subresource, isWatch, hasMore }: ResourcePath, { resource }: ServedResource): boolean {
  if (hasMore && !PROXIED.has(subresource)) return false;
  if (namespace !== '' && !resource.isNamespaced) return false;
  if (isWatch && (subresource !== '' || !resource.verbs.includes('watch'))) return false;
  if (name !== '' && namespace === '' && resource.isNamespaced) return false;
  if (name !== '' && !resource.verbs.includes('get') && subresource === '') return false;
  return subresource === '' || resource.subresources.some((one) => one.name === subresource);
}

const PROXIED = new Set(['proxy']);

const CONVERTED = new Set(['v1', 'v1beta1']);

/** Which conversions of its answers a resource offers. */
function offersOf({ resource }: ServedResource, { subresource }: ResourcePath): Offers {
  return ({ as, v = '', g }) => {
    if (g !== 'meta.k8s.io' || !CONVERTED.has(v)) return false;
    if (as === 'Table') return resource.verbs.includes('get') || subresource !== '';
    return as === 'PartialObjectMetadata' || as === 'PartialObjectMetadataList';
  };
}

/** @throws StatusError MethodNotAllowed */
function handlerOf(method: string, path: ResourcePath, served: ServedResource): Handler {
  const { verbs } = served.resource;
  const handler =
    path.subresource !== ''
      ? subresourceHandler(method, path.subresource, served.resource)
      : path.name !== '' && !path.isWatch
        ? OBJECT_HANDLERS[method]
        : collectionHandler(method, path, served);
  if (handler === undefined) throw methodNotAllowed();
  const verb = verbOf(method, path);
  if (path.subresource === '' && !verbs.includes(verb)) throw methodNotAllowed();
  return handler;
}

const OBJECT_HANDLERS: Readonly<Record<string, Handler>> = {
  GET: getOne,
  PUT: update,
  PATCH: patch,
  DELETE: deleteOne,
};

function collectionHandler(method: string, path: ResourcePath, { resource }: ServedResource): Handler | undefined {
  if (method === 'GET') return path.isWatch ? watch : listOrWatch;
  if (path.isWatch || (resource.isNamespaced && path.namespace === '')) return undefined;
  if (method === 'POST') return creatorOf(resource);
  return method === 'DELETE' ? deleteCollection : undefined;
}

function creatorOf({ group, kind }: ApiResource): Handler {
  if (isReview(kind)) return review;
  return group === '' && kind === 'Binding' ? bind : create;
}

function listOrWatch(asked: ResourceRequest): Answer {
  return listOptions(asked.request.query, false).isWatch ? watch(asked) : list(asked);
}

const VERBS: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };

function verbOf(method: string, { name }: ResourcePath): string {
  if (method === 'GET') return name === '' ? 'list' : 'get';
  if (method === 'DELETE') return name === '' ? 'deletecollection' : 'delete';
  return VERBS[method] ?? '';
}
