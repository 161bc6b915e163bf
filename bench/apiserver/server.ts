/**
 * The server under test, in a process of its own: `server.ts api OPTIONS` is a served cluster of the built library with
 * these options, `server.ts floor` a bare handler of `node:http` that does no more than send the bytes that it was
 * given for a path.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

const LIBRARY = join(import.meta.dirname, '../../dist/cli/apiserver.js');

if (process.argv[2] === 'api') await serveApi();
else serveFloor();
process.on('message', () => process.send?.({ bytes: process.memoryUsage(), cpu: process.cpuUsage() }));

async function serveApi(): Promise<void> {
  const { serve } = (await import(LIBRARY)) as typeof import('../../src/index-apiserver.ts');
  const { url, token } = await serve({ tls: false, ...(JSON.parse(process.argv[3] ?? '{}') as object) });
  process.send?.({ port: Number(new URL(url).port), token });
}

/** PUT sets what GET answers; POST reads its body and answers the same; `?watch` answers each PUT of `/event`. */
function serveFloor(): void {
  const known = new Map<string, Buffer>();
  const watches: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const { method, url = '' } = request;
    if (url.includes('watch')) {
      response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders();
      watches.push(response);
      return;
    }
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (method === 'PUT') known.set(url, Buffer.concat(chunks));
      if (url === '/event') for (const watch of watches) watch.write(known.get(url) ?? '');
      response.setHeader('Content-Type', 'application/json');
      response.end(method === 'PUT' ? '{}' : known.get(url));
    });
  });
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port, token: '' });
  });
}
