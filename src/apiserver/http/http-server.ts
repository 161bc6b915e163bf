import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { statusOf } from '../../kinds/object/status-error.ts';
import type { Answer, ApiModules, ApiRequest, TextAnswer } from '../context/context.ts';
import { type AcceptedType, accepted } from '../context/media-types.ts';
import { route } from '../routing/route.ts';
import { type AccessRules, checkAccess, checkNames } from './access.ts';
import { AuditLog, type AuditSink } from './audit.ts';
import type { Certificate } from './certificate.ts';
import type { Durability } from './durability.ts';
import { requestOf, withBody } from './http-request.ts';
import { refusalOf, refuseConnection, sendPieces, sendText } from './http-response.ts';
import { HTTP_LIMITS, type HttpLimits, serverOptions } from './limits.ts';
import { encoded, isPlainJson, type Presentation, shownObject } from './present.ts';
import { announcesBody, readBody } from './request-body.ts';
import { WatchStreams } from './watch-stream.ts';

const JSON_TYPE: AcceptedType = {
  mediaType: 'application/json',
  conversion: undefined,
  isPretty: false,
  parameters: {},
};

export interface HttpOptions {
  /** Absent: nothing is kept. Else no answer shows what a crash could undo. */
  readonly durability?: Durability | undefined;
  readonly access?: AccessRules;
  /** Absent: plain HTTP. */
  readonly certificate?: Certificate | undefined;
  /** Absent: requests are not noted. */
  readonly auditSink?: AuditSink | undefined;
  readonly limits?: Partial<HttpLimits> | undefined;
  /** What browsers get at `/`, without a token; absent: nothing. */
  readonly page?: (() => TextAnswer) | undefined;
}

/** Serves the API over HTTP. */
export class ApiHttpServer {
  readonly server: Server;
  readonly #modules: ApiModules;
  readonly #access: AccessRules;
  readonly #durability: Durability | undefined;
  readonly #audit: AuditLog | undefined;
  readonly #limits: HttpLimits;
  readonly #streams: WatchStreams;
  readonly #page: (() => TextAnswer) | undefined;

  constructor(modules: ApiModules, options: HttpOptions = {}) {
    const { access = {}, certificate, durability, auditSink } = options;
    const limits = { ...HTTP_LIMITS, ...options.limits };
    if (auditSink !== undefined) this.#audit = new AuditLog(auditSink, modules.clock, modules.user);
    this.#modules = modules;
    this.#access = access;
    this.#durability = durability;
    this.#limits = limits;
    this.#page = options.page;
    this.#streams = new WatchStreams({ timers: modules.timers, durability, stallMillis: limits.stallMillis });
    const serve = (request: IncomingMessage, response: ServerResponse): void => this.#serve(request, response);
    this.server =
      certificate === undefined
        ? createServer(serverOptions(limits), serve)
        : createTlsServer({ ...serverOptions(limits), cert: certificate.certPem, key: certificate.keyPem }, serve);
    this.server.maxConnections = limits.connections;
    this.server.on('clientError', refuseConnection);
  }

  #serve(incoming: IncomingMessage, response: ServerResponse): void {
    const request = requestOf(incoming);
    try {
      if (this.#page !== undefined && isForPage(request)) {
        checkNames(incoming, this.#access);
        this.#send(request, this.#page(), response);
        return;
      }
      checkAccess(incoming, this.#access);
    } catch (error) {
      this.#refuse(error, request, response, incoming);
      return;
    }
    if (!announcesBody(incoming)) {
      this.#answer(request, response);
      return;
    }
    readBody(incoming, this.#limits.bodyBytes)
      .then((bytes) => this.#answer(withBody(request, bytes), response))
      .catch((error) => this.#refuse(error, request, response, incoming));
  }

  /** Most requests are answered without waiting. */
  #answer(request: ApiRequest, response: ServerResponse): void {
    try {
      const answer = route(this.#modules, request);
      const settled = this.#durability?.settled();
      if (settled === undefined && !(answer instanceof Promise)) {
        this.#send(request, answer, response);
        return;
      }
      this.#answerLater(answer, request, response).catch((error) => this.#refuse(error, request, response));
    } catch (error) {
      this.#refuse(error, request, response);
    }
  }

  async #answerLater(coming: Answer | Promise<Answer>, request: ApiRequest, response: ServerResponse): Promise<void> {
    const answer = await coming;
    // The writes of this request are among those that are waited for.
    await this.#durability?.settled();
    this.#send(request, answer, response);
  }

  #send(request: ApiRequest, answer: Answer, response: ServerResponse): void {
    const { stallMillis } = this.#limits;
    if (answer.type === 'text') {
      sendText(response, request.method, { warnings: [], contentType: undefined, ...answer }, stallMillis);
      this.#audit?.answered(request, answer);
      return;
    }
    const form = acceptedAny(request.accept);
    const presentation: Presentation = {
      accepted: form,
      query: request.query,
      nowMillis: this.#modules.clock.nowMillis(),
    };
    if (answer.type === 'watch') {
      this.#streams.open(answer, presentation, response);
    } else if (answer.pieces !== undefined && isPlainJson(form, request.query) && !answer.warnings?.length) {
      const pieces = [...answer.pieces(), '\n'];
      sendPieces(response, request.method, { status: answer.status, pieces, contentType: form.mediaType }, stallMillis);
    } else {
      const object = shownObject(answer, presentation);
      const { text, contentType } = encoded(object, form, request.query);
      const { status, warnings = [] } = answer;
      const shown = { status, text, warnings, contentType: answer.contentType ?? contentType };
      sendText(response, request.method, shown, stallMillis);
    }
    this.#audit?.answered(request, answer);
  }

  /** `unread`: the request whose body was not read to its end, so that its connection must be given up. */
  #refuse(error: unknown, request: ApiRequest, response: ServerResponse, unread?: IncomingMessage): void {
    const refusal = refusalOf(error);
    const object = statusOf(refusal);
    this.#audit?.answered(request, { type: 'object', status: refusal.code, object });
    if (response.headersSent || response.destroyed) {
      response.destroy();
      return;
    }
    if (unread !== undefined && !unread.complete && announcesBody(unread)) giveUp(unread, response);
    const { text, contentType } = encoded(object, JSON_TYPE, request.query);
    const shown = { status: refusal.code, text, contentType, warnings: refusal.warnings };
    sendText(response, request.method, shown, this.#limits.stallMillis);
  }
}

/**
 * Ends the connection after the answer. What the client still sends is thrown away meanwhile: a client that is cut off
 * while it writes may not see the answer.
 */
function giveUp(unread: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Connection', 'close');
  unread.removeAllListeners('data').resume();
}

/** Whether a browser asks for a page, and not a client of the API for its paths. */
function isForPage({ method, path, accept }: ApiRequest): boolean {
  return path === '/' && method === 'GET' && (accept?.includes('text/html') ?? false);
}

/** The form of an answer whose path has checked what it offers. */
function acceptedAny(accept: string | undefined): AcceptedType {
  return accepted(accept, () => true, false);
}
