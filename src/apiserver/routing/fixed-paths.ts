import type { JsonObject } from '../../kinds/object/json.ts';
import { methodNotAllowed, unknownResource } from '../../kinds/object/refusals.ts';
import type { Answer, ApiModules, ApiRequest } from '../context/context.ts';
import { type AcceptedType, accepted } from '../context/media-types.ts';
import { aggregated, coreVersions, groupDocument, groupList, resourceList } from '../discovery/discovery.ts';
import { openApiDocument, openApiIndex } from '../discovery/openapi.ts';
import type { ResourceRegistry, ServedGroup } from '../resources/resource-registry.ts';

const PLAIN_TEXT = 'text/plain; charset=utf-8';

export function pageNotFound(): Answer {
  return { type: 'text', status: 404, text: '404 page not found\n', contentType: PLAIN_TEXT };
}

const VERSION: JsonObject = {
  major: '1',
  minor: '36',
  emulationMajor: '1',
  emulationMinor: '36',
  minCompatibilityMajor: '1',
  minCompatibilityMinor: '35',
  gitVersion: 'v1.36.2',
  gitCommit: 'peer-build',
  gitTreeState: 'clean',
  buildDate: '2026-01-01T00:00:00Z',
  goVersion: 'go1.26.11',
  compiler: 'gc',
  platform: 'linux/amd64',
};

const HEALTH = new Set(['healthz', 'livez', 'readyz']);

/** Answers the paths that are no resources. @throws StatusError */
export function fixedAnswer(modules: ApiModules, request: ApiRequest, path: string): Answer | Promise<Answer> {
  const { registry } = modules;
  const [, first = '', ...rest] = path.split('/');
  if (path === '/api') {
    refuseWrites(request);
    const core = registry.group('');
    return discovered(request, core === undefined ? [] : [core], () => coreVersions(request.host));
  }
  if (path === '/apis') return discovered(request, registry.groups, () => groupList(registry));
  if (path === '/version') refuseWrites(request);
  if (path === '/version') return { type: 'object', status: 200, object: VERSION };
  if (HEALTH.has(first) && rest.length < 2) return { type: 'text', status: 200, text: 'ok', contentType: PLAIN_TEXT };
  if (first === 'openapi' && rest[0] === 'v3') return openApi(registry, rest.slice(1).join('/'));
  if (path === '/openapi/v2') return openApiV2(request);
  return modules.ownPaths?.(request) ?? pageNotFound();
}

/**
 * `/openapi/v2`: a document without schemas. kubectl asks for it when it meets a kind that version 3 does not describe,
 * such as a `List`, and leaves the checks to the server when it finds nothing.
 */
function openApiV2({ accept = '' }: ApiRequest): Answer {
  const info = { title: 'Kubernetes', version: VERSION['gitVersion'] as string };
  if (!accept.includes('protobuf')) {
    return { type: 'object', status: 200, object: { swagger: '2.0', info, paths: {}, definitions: {} } };
  }
  const text = (field: number, value: string): string => String.fromCharCode(field * 8 + 2, value.length) + value;
  const message = text(1, '2.0') + text(2, text(1, info.title) + text(2, info.version));
  const contentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
  return { type: 'text', status: 200, text: message, contentType };
}

/** `/openapi/v3`, and the documents that it names. */
function openApi(registry: ResourceRegistry, path: string): Answer {
  const document = path === '' ? openApiIndex(registry) : openApiDocument(registry, path);
  return document === undefined ? pageNotFound() : { type: 'object', status: 200, object: document };
}

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** @throws StatusError NotAcceptable */
function discovered(request: ApiRequest, groups: readonly ServedGroup[], legacy: () => JsonObject): Answer {
  const { parameters } = accepted(request.accept, isAggregated, false);
  if (!isAggregated(parameters)) return { type: 'object', status: 200, object: legacy() };
  return { type: 'object', status: 200, object: aggregated(groups), contentType: AGGREGATED };
}

function isAggregated({ g, v, as }: AcceptedType['parameters']): boolean {
  return g === 'apidiscovery.k8s.io' && v === 'v2' && as === 'APIGroupDiscoveryList';
}

function refuseWrites({ method }: ApiRequest): void {
  if (method !== 'GET') throw methodNotAllowed();
}

/** `/apis/apps` @throws StatusError */
export function groupAnswer({ registry }: ApiModules, request: ApiRequest, name: string): Answer {
  const group = name === '' ? undefined : registry.group(name);
  if (group === undefined) return pageNotFound();
  accepted(request.accept, () => false, false);
  return { type: 'object', status: 200, object: groupDocument(group) };
}

/** `/api/v1`, `/apis/apps/v1` @throws StatusError */
export function versionAnswer({ registry }: ApiModules, request: ApiRequest, name: string, version: string): Answer {
  const group = registry.group(name);
  if (group === undefined) return pageNotFound();
  const served = group.versions.find((one) => one.version === version);
  if (served === undefined) throw unknownResource();
  refuseWrites(request);
  accepted(request.accept, () => false, false);
  return { type: 'object', status: 200, object: resourceList(group, served) };
}
