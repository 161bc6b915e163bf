import type { ApiResource } from '../../kinds/object/api-resource.ts';
import type { Answer, ResourceRequest } from '../context/context.ts';
import { finalizeNamespace } from './finalize-namespace.ts';
import { getOne } from './get.ts';
import { patch } from './patch.ts';
import { bind } from './pod-binding.ts';
import { connect, getLog, proxy } from './pod-connections.ts';
import { evict } from './pod-eviction.ts';
import { mergeEphemeral, mergeResize, patchPart, putPart } from './pod-parts.ts';
import { getScale, patchScale, putScale } from './scale.ts';
import { requestToken } from './service-account-token.ts';
import { update } from './update.ts';

type Handler = (asked: ResourceRequest) => Answer | Promise<Answer>;

/** The methods of each subresource, by its name. */
const HANDLERS: Readonly<Record<string, Readonly<Record<string, Handler>>>> = {
  status: { GET: getOne, PUT: update, PATCH: patch },
  approval: { GET: getOne, PUT: update, PATCH: patch },
  scale: { GET: getScale, PUT: putScale, PATCH: patchScale },
  binding: { POST: bind },
  eviction: { POST: evict },
  resize: { GET: getOne, PUT: putPart(mergeResize), PATCH: patchPart(mergeResize) },
  ephemeralcontainers: { GET: getOne, PUT: putPart(mergeEphemeral), PATCH: patchPart(mergeEphemeral) },
  log: { GET: getLog },
  exec: { GET: connect, POST: connect },
  attach: { GET: connect, POST: connect },
  portforward: { GET: connect, POST: connect },
  proxy: { GET: proxy, POST: proxy, PUT: proxy, PATCH: proxy, DELETE: proxy },
  token: { POST: requestToken },
  finalize: { PUT: finalizeNamespace },
};

/** The handler of a method of a subresource; undefined if it has none. */
export function subresourceHandler(method: string, name: string, resource: ApiResource): Handler | undefined {
  const isServed = resource.subresources.some((one) => one.name === name);
  return isServed ? HANDLERS[name]?.[method] : undefined;
}
