import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ExtenderConfiguration } from '../../../src/config/extenders.ts';
import type { ExtenderRequest, ExtenderResponse } from '../../../src/framework/extender-calls.ts';
import type { ExtenderTransport } from '../../../src/framework/extender-transport.ts';
import { HttpPoster } from '../../../src/lib/http-poster.ts';
import { answerByRule, type ExtenderRules, type RuleAnswer } from './rules.ts';

/** A request as it came in. */
export interface SeenRequest {
  readonly extender: number;
  readonly role: keyof ExtenderRules;
  readonly method: string;
  readonly path: string;
  readonly contentType: string;
  readonly body: Readonly<Record<string, unknown>>;
}

interface Incoming {
  /** The URL, with the host of the configuration. */
  readonly url: string;
  readonly method: string;
  readonly contentType: string;
  readonly body: string;
}

const VERBS = { filter: 'filterVerb', prioritize: 'prioritizeVerb', preempt: 'preemptVerb', bind: 'bindVerb' } as const;
const ROLES = Object.keys(VERBS) as (keyof ExtenderRules)[];

/** Answers for all extenders of a case by their rules, and keeps what it was asked. */
export class RuleServer {
  readonly seen: SeenRequest[] = [];
  readonly #extenders: readonly ExtenderConfiguration[];
  readonly #rules: readonly ExtenderRules[];

  constructor(extenders: readonly ExtenderConfiguration[], rules: readonly ExtenderRules[]) {
    this.#extenders = extenders;
    this.#rules = rules;
  }

  answer({ url, method, contentType, body }: Incoming): RuleAnswer {
    for (const [extender, configuration] of this.#extenders.entries()) {
      const prefix = configuration.urlPrefix.replace(/\/+$/, '');
      const role = ROLES.find((each) => url === `${prefix}/${configuration[VERBS[each]]}`);
      if (role === undefined) continue;
      const args = JSON.parse(body) as Record<string, unknown>;
      this.seen.push({ extender, role, method, path: new URL(url).pathname, contentType, body: args });
      return answerByRule(this.#rules[extender] ?? {}, role, args);
    }
    return { status: 404, body: '' };
  }
}

/** Calls the rule server in memory, without a connection. */
export class RulesInMemory implements ExtenderTransport {
  readonly #server: RuleServer;

  constructor(server: RuleServer) {
    this.#server = server;
  }

  send({ url, body }: ExtenderRequest, done: (response: ExtenderResponse) => void): { cancel(): void } {
    done(this.#server.answer({ url, method: 'POST', contentType: 'application/json', body }));
    return { cancel: () => {} };
  }
}

/** A real server on loopback, to which every host leads. */
export class RulesOnLoopback implements ExtenderTransport {
  readonly #poster = new HttpPoster();
  readonly #http: Server;
  readonly #origin: string;

  static async start(server: RuleServer): Promise<RulesOnLoopback> {
    const http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const { method = '', headers, url = '' } = request;
        const asked = decodeURIComponent(url.slice(1));
        const contentType = headers['content-type'] ?? '';
        const answer = server.answer({ url: asked, method, contentType, body: Buffer.concat(chunks).toString() });
        response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.body);
      });
    });
    await new Promise<void>((listening) => http.listen(0, '127.0.0.1', listening));
    return new RulesOnLoopback(http);
  }

  private constructor(http: Server) {
    this.#http = http;
    this.#origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  }

  /** The host that does not exist becomes part of the path. */
  send(request: ExtenderRequest, done: (response: ExtenderResponse) => void): { cancel(): void } {
    return this.#poster.send({ ...request, url: `${this.#origin}/${encodeURIComponent(request.url)}` }, done);
  }

  close(): void {
    this.#poster.close();
    this.#http.close();
  }
}
