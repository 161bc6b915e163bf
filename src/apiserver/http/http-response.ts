import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest } from '../../kinds/object/refusals.ts';
import { StatusError, statusOf } from '../../kinds/object/status-error.ts';
import { warningHeaders } from './warning-headers.ts';

export interface AnswerText {
  readonly status: number;
  readonly text: string;
  readonly contentType: string | undefined;
  readonly warnings: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers of this length may stand in the buffers of a client that does not read. */
const LONG_LENGTH = 64 * 1024;

/** Sends a whole answer; a client that does not take it is cut off. */
export function sendText(
  response: ServerResponse,
  method: string,
  { status, text, contentType, warnings, headers }: AnswerText,
  stallMillis: number,
): void {
  const isPlain = warnings.length === 0 && headers === undefined && contentType !== undefined && method !== 'HEAD';
  if (isPlain && text.length <= LONG_LENGTH) {
    sendShort(response, status, contentType, text);
    return;
  }
  response.statusCode = status;
  if (contentType !== undefined) response.setHeader('Content-Type', contentType);
  for (const name in headers) response.setHeader(name, headers[name] as string);
  for (const warning of warningHeaders(warnings)) response.appendHeader('Warning', warning);
  if (text.length > LONG_LENGTH) cutWhenStalled(response, stallMillis);
  if (method === 'HEAD') response.end();
  // Head and body would be encoded as one text, and the bytes of warnings are encoded already.
  else response.end(warnings.length > 0 ? Buffer.from(text as string) : text);
}

/** Cuts off a client that takes nothing for so long. */
function cutWhenStalled(response: ServerResponse, stallMillis: number): void {
  response.setTimeout(stallMillis, () => response.destroy());
}

/** Most answers are short and without warnings: to write their heads at once is cheaper than header by header. */
function sendShort(response: ServerResponse, status: number, contentType: string, text: string): void {
  const bytes = Buffer.byteLength(text);
  response.writeHead(status, ['Content-Type', contentType, 'Content-Length', String(bytes)]);
  // Where each character is one byte nothing has to be encoded.
  response.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/**
 * Sends a text that is the join of pieces, at the pace at which the client takes it: only a part of a long list stands
 * in buffers. A client that takes nothing is cut off.
 */
export function sendPieces(
  response: ServerResponse,
  method: string,
  { status, pieces, contentType }: { status: number; pieces: readonly string[]; contentType: string },
  stallMillis: number,
): void {
  let bytes = 0;
  for (const piece of pieces) bytes += Buffer.byteLength(piece);
  if (bytes <= LONG_LENGTH) {
    sendText(response, method, { status, text: pieces.join(''), contentType, warnings: [] }, stallMillis);
    return;
  }
  response.writeHead(status, ['Content-Type', contentType, 'Content-Length', String(bytes)]);
  cutWhenStalled(response, stallMillis);
  let next = 0;
  const proceed = (): void => {
    while (next < pieces.length && !response.destroyed) {
      const start = next;
      for (let length = 0; next < pieces.length && length < LONG_LENGTH; next++) {
        length += (pieces[next] as string).length;
      }
      if (!response.write(pieces.slice(start, next).join('')) && next < pieces.length) return;
    }
    response.end();
  };
  response.on('drain', proceed);
  proceed();
}

/** What a client is told of an error. */
export function refusalOf(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  // Stack overflows are those of readers of YAML; nothing is written before the whole body has been read.
  if (error instanceof RangeError && /call stack/.test(error.message))
    return badRequest('the body is nested too deeply');
  const why = error instanceof Error ? error.message : error;
  return new StatusError(500, 'InternalError', `Internal error occurred: ${why}`);
}

const BY_CODE: Readonly<Record<string, StatusError>> = {
  HPE_HEADER_OVERFLOW: new StatusError(431, 'RequestHeaderFieldsTooLarge', 'the headers of the request are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: new StatusError(408, 'Timeout', 'the request took too long to arrive'),
};
const MALFORMED = new StatusError(400, 'BadRequest', 'the request is no HTTP');

/** Answers what is no request, or none that came in time, and ends its connection. */
export function refuseConnection(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const refusal = BY_CODE[error.code ?? ''] ?? MALFORMED;
  const text = `${JSON.stringify(statusOf(refusal))}\n`;
  const head = `HTTP/1.1 ${refusal.code} ${refusal.reason}\r\nContent-Type: application/json\r\nConnection: close\r\n`;
  socket.end(`${head}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}
