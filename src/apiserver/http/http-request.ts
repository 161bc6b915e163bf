import type { IncomingMessage } from 'node:http';
import { badRequest } from '../../kinds/object/refusals.ts';
import { structOfKind } from '../../kinds/registry/built-in-schema.ts';
import { decodeProtobuf, ProtobufError } from '../../kinds/schema/protobuf.ts';
import type { ApiRequest } from '../context/context.ts';
import { contentTypeOf, unsupportedMediaType } from '../context/media-types.ts';

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** Most requests have no query; nobody changes what they share. */
const NO_QUERY = new URLSearchParams();

/** A request without its body. */
export function requestOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage): ApiRequest {
  const question = url.indexOf('?');
  return {
    method,
    path: question < 0 ? url : url.slice(0, question),
    query: question < 0 ? NO_QUERY : new URLSearchParams(url.slice(question + 1)),
    accept: headers.accept,
    contentType: headers['content-type'],
    userAgent: headers['user-agent'],
    host: `${socket.localAddress}:${socket.localPort}`,
    body: '',
    hasBody: false,
  };
}

/** No object of the API comes near; one that is deeper could be read, and then not be written again. */
const DEPTH_MAX = 1000;
const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const [OPENING, CLOSING] = [new Set([0x5b, 0x7b]), new Set([0x5d, 0x7d])];

/** @throws StatusError BadRequest, for JSON whose objects and lists are nested too deeply */
function checkDepth(bytes: Uint8Array): void {
  if (bytes.length <= DEPTH_MAX) return;
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (isText) at += byte === BACKSLASH ? 1 : 0;
    else if (OPENING.has(byte)) depth++;
    else if (CLOSING.has(byte)) depth--;
    if (depth > DEPTH_MAX) throw badRequest(`the body exceeded max depth: ${DEPTH_MAX}`);
  }
}

/** The request with its body as text; an object in protobuf becomes JSON. @throws StatusError */
export function withBody(request: ApiRequest, bytes: Buffer): ApiRequest {
  const hasBody = bytes.length > 0;
  const type = contentTypeOf(request.contentType);
  if (!hasBody || type !== PROTOBUF) {
    if (!type?.endsWith('yaml')) checkDepth(bytes);
    return { ...request, body: bytes.toString(), hasBody };
  }
  try {
    const body = JSON.stringify(decodeProtobuf(bytes, structOfKind));
    return { ...request, body, hasBody, contentType: 'application/json' };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw unsupportedMediaType();
  }
}
