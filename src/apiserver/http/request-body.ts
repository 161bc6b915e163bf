import type { IncomingMessage } from 'node:http';
import { StatusError } from '../../kinds/object/status-error.ts';

/** The largest body that is read. Upstream: 3 MiB. */
const BYTES_MAX = 3 * 1024 * 1024;

/** Reads the body of a request. @throws StatusError RequestEntityTooLarge */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BYTES_MAX) {
      const message = `Request entity too large: limit is ${BYTES_MAX}`;
      throw new StatusError(413, 'RequestEntityTooLarge', message);
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
