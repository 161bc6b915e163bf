import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { StatusError, statusOf } from '../../kinds/object/status-error.ts';
import { structOfKind } from '../../kinds/registry/built-in-schema.ts';
import { decodeProtobuf, ProtobufError } from '../../kinds/schema/protobuf.ts';
import type { Answer, ApiModules, ApiRequest } from '../context/context.ts';
import { type AcceptedType, accepted, contentTypeOf, unsupportedMediaType } from '../context/media-types.ts';
import { route } from '../routing/route.ts';
import { type AccessRules, checkAccess } from './access.ts';
import { AuditLog, type AuditSink } from './audit.ts';
import type { Certificate } from './certificate.ts';
import type { Durability } from './durability.ts';
import { encoded, type Presentation, shownObject } from './present.ts';
import { readBody } from './request-body.ts';
import { streamEvents } from './watch-stream.ts';

const JSON_TYPE: AcceptedType = {
  mediaType: 'application/json',
  conversion: undefined,
  isPretty: false,
  parameters: {},
};

/** A client that sends its request slowly is cut off. */
const LIMITS = { maxHeaderSize: 64 * 1024, headersTimeout: 20_000, requestTimeout: 60_000, keepAliveTimeout: 60_000 };
const CONNECTIONS_MAX = 4096;

export interface HttpOptions {
  /** Absent: nothing is kept. Else no answer shows what a crash could undo. */
  readonly durability?: Durability | undefined;
  readonly access?: AccessRules;
  /** Absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** Absent: requests are not noted. */
  readonly auditSink?: AuditSink | undefined;
}

/** Serves the API over HTTP. */
export class ApiHttpServer {
  readonly server: Server;
  readonly #modules: ApiModules;
  readonly #access: AccessRules;
  readonly #durability: Durability | undefined;
  readonly #audit: AuditLog | undefined;

  constructor(modules: ApiModules, { access = {}, certificate, durability, auditSink }: HttpOptions = {}) {
    if (auditSink !== undefined) this.#audit = new AuditLog(auditSink, modules.clock, modules.user);
    this.#modules = modules;
    this.#access = access;
    this.#durability = durability;
    const serve = (request: IncomingMessage, response: ServerResponse): void => void this.#serve(request, response);
    this.server =
      certificate === undefined
        ? createServer(LIMITS, serve)
        : createTlsServer({ ...LIMITS, cert: certificate.certPem, key: certificate.keyPem }, serve);
    this.server.maxConnections = CONNECTIONS_MAX;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    let request = requestOf(incoming);
    try {
      checkAccess(incoming, this.#access);
      request = withBody(request, await readBody(incoming));
      const answer = await route(this.#modules, request);
      const settled = this.#durability?.settled();
      if (settled !== undefined) await settled;
      this.#send(request, answer, response);
      this.#audit?.answered(request, answer);
    } catch (error) {
      const refusal = refusalOf(error);
      this.#audit?.answered(request, { type: 'object', status: refusal.code, object: statusOf(refusal) });
      sendError(refusal, request, response);
    }
  }

  #send(request: ApiRequest, answer: Answer, response: ServerResponse): void {
    if (answer.type === 'text') {
      send(response, request, answer.status, answer.text, answer.contentType);
      return;
    }
    const form = acceptedAny(request.accept);
    const { clock, timers } = this.#modules;
    const presentation: Presentation = { accepted: form, query: request.query, nowMillis: clock.nowMillis() };
    if (answer.type === 'watch') {
      streamEvents(answer, presentation, { timers, durability: this.#durability }, response);
      return;
    }
    const object = shownObject(answer, presentation);
    const { text, contentType } = encoded(object, form, request.query);
    addWarnings(response, answer.warnings);
    send(response, request, answer.status, text, answer.contentType ?? contentType);
  }
}

/** The form of an answer whose path has checked what it offers. */
function acceptedAny(accept: string | undefined): AcceptedType {
  return accepted(accept, () => true, false);
}

function addWarnings(response: ServerResponse, warnings: readonly string[] = []): void {
  // The same warning is given once.
  for (const warning of new Set(warnings)) response.appendHeader('Warning', `299 - ${quotedWarning(warning)}`);
}

function quotedWarning(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

const PROTOBUF = 'application/vnd.kubernetes.protobuf';

/** The request with its body as text; an object in protobuf becomes JSON. @throws StatusError */
function withBody(request: ApiRequest, bytes: Buffer): ApiRequest {
  const hasBody = bytes.length > 0;
  if (!hasBody || contentTypeOf(request.contentType) !== PROTOBUF)
    return { ...request, body: bytes.toString(), hasBody };
  try {
    const body = JSON.stringify(decodeProtobuf(bytes, structOfKind));
    return { ...request, body, hasBody, contentType: 'application/json' };
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error;
    throw unsupportedMediaType();
  }
}

function requestOf({ method = 'GET', url = '/', headers, socket }: IncomingMessage): ApiRequest {
  const question = url.indexOf('?');
  const path = question < 0 ? url : url.slice(0, question);
  const query = new URLSearchParams(question < 0 ? '' : url.slice(question + 1));
  const { accept } = headers;
  return {
    method,
    path,
    query,
    accept,
    contentType: headers['content-type'],
    userAgent: headers['user-agent'],
    host: `${socket.localAddress}:${socket.localPort}`,
    body: '',
    hasBody: false,
  };
}

function send(
  response: ServerResponse,
  { method }: ApiRequest,
  status: number,
  text: string,
  contentType?: string,
): void {
  if (contentType !== undefined) response.setHeader('Content-Type', contentType);
  response.statusCode = status;
  response.end(method === 'HEAD' ? undefined : text);
}

/** What a client is told of an error. */
function refusalOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const why = error instanceof Error ? error.message : error;
  return new StatusError(500, 'InternalError', `Internal error occurred: ${why}`);
}

function sendError(refusal: StatusError, request: ApiRequest, response: ServerResponse): void {
  const { text, contentType } = encoded(statusOf(refusal), JSON_TYPE, request.query);
  addWarnings(response, refusal.warnings);
  if (response.headersSent) response.destroy();
  else send(response, request, refusal.code, text, contentType);
}
