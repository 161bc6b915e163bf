import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import type { RecordedRequest } from './api-case.ts';

export interface Answer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly warning: readonly string[] | undefined;
  readonly text: string;
}

/** A watch that is open: what came until now. */
export interface OpenWatch {
  readonly status: number;
  readonly events: unknown[];
  /** Whether the server has ended the stream. */
  hasEnded: boolean;
  close(): void;
}

/** A plain HTTP client, which sends paths and bodies as they are. */
export class Client {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true });

  constructor(port: number) {
    this.#port = port;
  }

  send(recorded: RecordedRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { bytes, headers } = encoded(recorded);
      const sent = request(
        {
          port: this.#port,
          host: '127.0.0.1',
          method: recorded.method,
          path: recorded.path,
          headers,
          agent: this.#agent,
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => resolve(answerOf(response, Buffer.concat(chunks).toString())));
        },
      );
      sent.on('error', reject);
      sent.end(bytes);
    });
  }

  watch(path: string, accept: string | undefined): Promise<OpenWatch> {
    return new Promise((resolve, reject) => {
      const headers: OutgoingHttpHeaders = accept === undefined ? {} : { accept };
      const sent = request({ port: this.#port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
        const watch: OpenWatch = {
          status: response.statusCode ?? 0,
          events: [],
          hasEnded: false,
          close: () => sent.destroy(),
        };
        let rest = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          const lines = (rest + chunk).split('\n');
          rest = lines.pop() as string;
          for (const line of lines) if (line !== '') watch.events.push(JSON.parse(line));
        });
        response.on('error', () => {});
        response.on('end', () => {
          if (rest !== '') watch.events.push(JSON.parse(rest));
          watch.hasEnded = true;
        });
        resolve(watch);
      });
      sent.on('error', reject);
      sent.end();
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function encoded({ accept, contentType, body, bodyText }: RecordedRequest): {
  bytes: string | undefined;
  headers: OutgoingHttpHeaders;
} {
  const headers: OutgoingHttpHeaders = {};
  if (accept !== undefined) headers['accept'] = accept;
  const bytes = bodyText ?? (body === undefined ? undefined : JSON.stringify(body));
  const type = contentType ?? (bytes === undefined ? '' : 'application/json');
  if (type !== '') headers['content-type'] = type;
  if (bytes !== undefined) headers['content-length'] = Buffer.byteLength(bytes);
  return { bytes, headers };
}

function answerOf(response: IncomingMessage, text: string): Answer {
  const { rawHeaders } = response;
  const warning = rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'warning');
  return {
    status: response.statusCode ?? 0,
    contentType: response.headers['content-type'],
    warning: warning.length === 0 ? undefined : warning,
    text,
  };
}
