import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Socket, type Server as TcpServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { HttpPoster, type PostRequest, type PostResponse } from '../../src/lib/http-poster.ts';

const TLS_FILES = new URL('./loopback-tls/', import.meta.url);
const certFile = new URL('cert.pem', TLS_FILES).pathname;
const keyFile = new URL('key.pem', TLS_FILES).pathname;

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0)) each.close();
});

async function listen(server: TcpServer): Promise<string> {
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  open.push(server);
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const serve = async (listener: RequestListener): Promise<string> => `http://${await listen(createServer(listener))}`;

async function serveSecurely(listener: RequestListener): Promise<string> {
  const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
  return `https://${await listen(createSecureServer(credentials, listener))}`;
}

function post(request: Partial<PostRequest> & { url: string }, maxAnswerBytes?: number): Promise<PostResponse> {
  const poster = new HttpPoster(maxAnswerBytes === undefined ? {} : { maxAnswerBytes });
  open.push(poster);
  return new Promise((done) => poster.send({ body: '{}', timeoutMillis: 0, tls: {}, ...request }, done));
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** Says what came in. */
const echo: RequestListener = async (request, response) => {
  const { method, url, headers } = request;
  const seen = { method, url, type: headers['content-type'], body: await bodyOf(request) };
  response.end(JSON.stringify(seen));
};

const parsed = (response: PostResponse): unknown => ('body' in response ? JSON.parse(response.body) : response);

describe('answers', () => {
  test('what was sent arrives, and what is answered comes back', async () => {
    const body = JSON.stringify({ name: 'ünïcode', long: 'x'.repeat(300_000) });
    const answer = await post({ url: `${await serve(echo)}/a/b`, body });
    expect(parsed(answer)).toEqual({ method: 'POST', url: '/a/b', type: 'application/json', body });
  });

  test('of another status nothing is read', async () => {
    const url = await serve((_, response) => response.writeHead(503).end('busy'));
    expect(await post({ url })).toEqual({ status: 503, body: '' });
  });

  test('redirects are followed: some with the body, some without', async () => {
    const target = await serve(echo);
    for (const [status, method, body] of [
      [307, 'POST', '{}'],
      [308, 'POST', '{}'],
      [302, 'GET', ''],
      [303, 'GET', ''],
    ] as const) {
      const url = await serve((_, response) => response.writeHead(status, { Location: `${target}/there` }).end());
      expect(parsed(await post({ url }))).toEqual({ method, body, url: '/there', type: 'application/json' });
    }
  });

  test('redirects that lead nowhere: failures name the address that was asked last', async () => {
    const redirectTo = (Location: string) => serve((_, response) => response.writeHead(307, { Location }).end());
    expect(await post({ url: await redirectTo('/') })).toEqual({ error: 'Post "/": stopped after 10 redirects' });
    const ftp = await redirectTo('ftp://host/x');
    expect(await post({ url: ftp })).toEqual({ error: 'Post "ftp://host/x": unsupported protocol scheme "ftp"' });
    const url = await redirectTo('http://[');
    expect(await post({ url })).toEqual({
      error: `Post "${url}": failed to parse Location header "http://[": parse "http://[": invalid URL`,
    });
  });

  test('connections are kept; one that the server has closed meanwhile is made anew', async () => {
    const sockets = new Set<unknown>();
    const server = createServer((request, response) => {
      sockets.add(request.socket);
      response.end('{}');
    });
    const url = `http://${await listen(server)}`;
    const poster = new HttpPoster();
    open.push(poster);
    const send = () =>
      new Promise<PostResponse>((done) => poster.send({ url, body: '{}', timeoutMillis: 0, tls: {} }, done));
    await send();
    await send();
    expect(sockets.size).toBe(1);
    for (const socket of sockets) (socket as Socket).destroy();
    expect(await send()).toEqual({ status: 200, body: '{}' });
    expect(sockets.size).toBe(2);
  });
});

describe('failures', () => {
  test('too slow: before the headers, and in the middle of the body', async () => {
    const silent = await serve(() => {});
    expect(await post({ url: silent, timeoutMillis: 20 })).toEqual({
      error: `Post "${silent}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    });
    const stalled = await serve((_, response) => void response.write('{"Nodes'));
    expect(await post({ url: stalled, timeoutMillis: 400 })).toEqual({
      error: 'context deadline exceeded (Client.Timeout or context cancellation while reading body)',
    });
  });

  test('an answer that breaks off counts if its first value is there', async () => {
    const broken = (text: string) => (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'Content-Length': 100 });
      response.write(text, () => response.destroy());
    };
    expect(await post({ url: await serve(broken('{"Error":"x"}')) })).toEqual({ status: 200, body: '{"Error":"x"}' });
    expect(await post({ url: await serve(broken('{"Error":')) })).toEqual({ error: 'unexpected EOF' });
    const stalled = await serve((_, response) => void response.write('[] '));
    expect(await post({ url: stalled, timeoutMillis: 400 })).toEqual({ status: 200, body: '[] ' });
  });

  test('too long an answer is refused, one that just fits is not', async () => {
    const url = await serve((_, response) => response.end('"'.padEnd(1000, 'x').concat('"')));
    expect(await post({ url }, 1000)).toEqual({ error: `Post "${url}": the answer is longer than 1000 bytes` });
    expect(await post({ url }, 1001)).toMatchObject({ status: 200 });
  });

  test('nobody there, nobody speaking, nobody speaking HTTP', async () => {
    const server = createServer();
    const address = await listen(server);
    await new Promise((closed) => server.close(closed));
    const refused = await post({ url: `http://${address}/x` });
    expect(refused).toEqual({ error: `Post "http://${address}/x": dial tcp ${address}: connect: connection refused` });

    const mute = `http://${await listen(createRawServer((socket) => socket.end()))}`;
    expect(await post({ url: mute })).toEqual({ error: `Post "${mute}": EOF` });

    const strange = `http://${await listen(createRawServer((socket) => socket.end('hello\r\n\r\n')))}`;
    expect(await post({ url: strange })).toEqual({
      error: `Post "${strange}": net/http: HTTP/1.x transport connection broken: malformed HTTP response`,
    });
  });

  test.each([
    ['/filter', 'unsupported protocol scheme ""'],
    ['ftp://host/filter', 'unsupported protocol scheme "ftp"'],
    ['http:///filter', 'http: no Host in request URL'],
    ['http://a b/filter', 'parse "http://a b/filter": invalid URL'],
  ])('%s is no address', async (url, reason) => {
    expect(await post({ url })).toEqual({ error: `Post ${JSON.stringify(url)}: ${reason}` });
  });

  test('a cancelled request has no answer', async () => {
    let asked = (): void => {};
    const arrived = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const url = await serve(() => asked());
    const poster = new HttpPoster();
    open.push(poster);
    let answers = 0;
    const sent = poster.send({ url, body: '{}', timeoutMillis: 0, tls: {} }, () => answers++);
    await arrived;
    sent.cancel();
    // Another exchange on the same poster gives the first one time to speak.
    await post({ url: await serve(echo) });
    expect(answers).toBe(0);
  });
});

describe('TLS', () => {
  const unknown = 'tls: failed to verify certificate: x509: certificate signed by unknown authority';

  test('the certificate is checked against the authority and the name that are given', async () => {
    const url = await serveSecurely(echo);
    expect(await post({ url })).toEqual({ error: `Post "${url}": ${unknown}` });
    const wrongName = 'tls: failed to verify certificate: x509: certificate is not valid for this name';
    expect(await post({ url, tls: { caFile: certFile } })).toEqual({ error: `Post "${url}": ${wrongName}` });
    const tls = { caFile: certFile, serverName: 'extender.test' };
    expect(parsed(await post({ url, tls }))).toMatchObject({ method: 'POST' });
    const caData = readFileSync(certFile).toString('base64');
    expect(parsed(await post({ url, tls: { caData, serverName: 'extender.test' } }))).toMatchObject({ method: 'POST' });
  });

  test('or nobody checks it', async () => {
    expect(parsed(await post({ url: await serveSecurely(echo), tls: { insecure: true } }))).toMatchObject({
      body: '{}',
    });
  });

  test('the own certificate is shown', async () => {
    const credentials = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
    const demanding = { ...credentials, ca: credentials.cert, requestCert: true, rejectUnauthorized: true };
    const url = `https://${await listen(createSecureServer(demanding, echo))}`;
    const tls = { caFile: certFile, serverName: 'extender.test' };
    expect(await post({ url, tls })).toHaveProperty('error');
    expect(parsed(await post({ url, tls: { ...tls, certFile, keyFile } }))).toMatchObject({ body: '{}' });
  });

  test('a file that is not there fails the call', async () => {
    const answer = await post({ url: 'https://127.0.0.1:1/', tls: { caFile: '/nowhere/ca.pem' } });
    expect(answer).toMatchObject({ error: expect.stringContaining('/nowhere/ca.pem') });
  });
});
