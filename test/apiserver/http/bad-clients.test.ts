import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ApiServer } from '../../../src/apiserver/api-server.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const errors: unknown[] = [];
const timers = new RealEventLoop((error) => errors.push(error));
const CONNECTIONS_MAX = 40;
const limits = { headersMillis: 300, requestMillis: 600, stallMillis: 300, connections: CONNECTIONS_MAX };
const store = new Store({ clock: timers, names: new RandomNames(new Prng(1)) });
const server = new ApiServer({
  ...{ ledger: store.ledger, clock: timers, timers, seed: 2, limits },
  access: { token: 'secret', hosts: ['127.0.0.1'] },
});
let port = 0;

beforeAll(async () => {
  port = await server.listen('127.0.0.1', 0);
});

afterAll(async () => {
  await server.close();
  expect(errors).toEqual([]);
});

interface Exchange {
  /** All that the server has sent until the connection ended, or `until` was satisfied. */
  readonly text: string;
}

/** Sends bytes as they are; resolves when the server ends the connection or the answer is complete. */
function exchange(bytes: string | Buffer, { ends = true }: { ends?: boolean } = {}): Promise<Exchange> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => {
      if (ends) socket.end(bytes);
      else socket.write(bytes);
    });
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      text += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => resolve({ text }));
  });
}

const HEAD = 'Host: 127.0.0.1\r\nAuthorization: Bearer secret\r\nConnection: close\r\n';
const MAPS = '/api/v1/namespaces/default/configmaps';

function requestText(line: string, body = '', type = 'application/json'): string {
  const length = `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
  return `${line} HTTP/1.1\r\n${HEAD}${body === '' ? '' : length}\r\n${body}`;
}

function statusOf({ text }: Exchange): number {
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0);
}

function bodyOf({ text }: Exchange): Record<string, unknown> {
  const body = text.slice(text.indexOf('\r\n\r\n') + 4);
  return JSON.parse(Buffer.from(body, 'latin1').toString()) as Record<string, unknown>;
}

async function expectAlive(): Promise<void> {
  const answer = await exchange(requestText('GET /api/v1/namespaces/default'));
  expect(statusOf(answer)).toBe(200);
}

describe('what is no request', () => {
  it.each([
    ['noise', 'hello\r\n\r\n', 400],
    ['another version', 'GET / HTTP/7.3\r\n\r\n', 400],
    ['two lengths', `POST ${MAPS} HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`, 400],
    [
      'length and chunks',
      `POST ${MAPS} HTTP/1.1\r\n${HEAD}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
    ],
    ['too long a header', `GET / HTTP/1.1\r\n${HEAD}X: ${'x'.repeat(70_000)}\r\n\r\n`, 431],
    ['a line without end', `GET /${'x'.repeat(70_000)}`, 431],
  ])('%s: a Status', async (_, bytes, status) => {
    const answer = await exchange(bytes);
    expect(statusOf(answer)).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
    await expectAlive();
  });

  it.each([
    ['half a head', 'GET / HTTP/1.1\r\nHost: 127'],
    ['half a body', `POST ${MAPS} HTTP/1.1\r\n${HEAD}Content-Length: 100\r\n\r\n{"a"`],
  ])('%s: cut off after a while', async (_, bytes) => {
    const answer = await exchange(bytes, { ends: false });
    expect([408, 0]).toContain(statusOf(answer));
    await expectAlive();
  });
});

describe('bodies', () => {
  it.each([
    ['too large', `{"a":"${'x'.repeat(3 * 2 ** 20)}"}`, 413],
    ['too deep', '['.repeat(100_000), 400],
    ['deep YAML', '['.repeat(100_000), 400, 'application/yaml'],
    ['YAML in itself', 'metadata: &a {labels: *a}', 400, 'application/yaml'],
    ['YAML that speaks of nothing', 'metadata: *a', 400, 'application/yaml'],
    ['deep, and complete', `{"metadata":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 400],
  ])('%s: a Status', async (_, body, status, type = 'application/json') => {
    const answer = await exchange(requestText(`POST ${MAPS}`, body, type), { ends: false });
    expect(statusOf(answer)).toBe(status);
    expect(bodyOf(answer)).toMatchObject({ kind: 'Status', code: status });
    await expectAlive();
  });

  it('patches that grow for ever, or have too many operations, are refused', async () => {
    await exchange(requestText(`POST ${MAPS}`, '{"metadata":{"name":"patched"},"data":{"a":"b"}}'));
    const patch = (operation: object, times: number) => {
      const body = JSON.stringify(Array(times).fill(operation));
      return exchange(requestText(`PATCH ${MAPS}/patched`, body, 'application/json-patch+json'));
    };
    expect(statusOf(await patch({ op: 'copy', from: '', path: '/data/a' }, 60))).toBe(422);
    const many = await patch({ op: 'test', path: '/data/a', value: 'b' }, 10_001);
    expect(statusOf(many)).toBe(413);
    expect(bodyOf(many)).toMatchObject({
      message: expect.stringMatching(/operations in a JSON patch is 10000, got 10001$/),
    });
    await expectAlive();
  });

  describe('members of wrong types', () => {
    const [JSON_PATCH, MERGE, APPLY] = ['json-patch+json', 'merge-patch+json', 'apply-patch+yaml'];
    const unmarshal = 'json: cannot unmarshal';
    const noText = `couldn't get version/kind; json parse error: ${unmarshal}`;
    it.each([
      [
        'PATCH',
        JSON_PATCH,
        '[1]',
        400,
        `error decoding patch: ${unmarshal} number into Go value of type handlers.json`,
      ],
      ['PATCH', JSON_PATCH, '[null]', 422, 'the server rejected our request'],
      [
        'PATCH',
        JSON_PATCH,
        '[{"op":"add","path":1}]',
        400,
        `${unmarshal} number into Go struct field jsonPatchOp.path`,
      ],
      ['PATCH', JSON_PATCH, 'null', 200, undefined],
      ['PATCH', MERGE, '{"kind":1}', 422, `${noText} number into Go struct field .kind of type string`],
      ['PATCH', MERGE, '{"apiVersion":["v1"]}', 422, `${noText} array into Go struct field .apiVersion of type string`],
      ['PATCH', APPLY, '{"apiVersion":1,"kind":"ConfigMap"}', 400, 'invalid object type: /, Kind=ConfigMap'],
      [
        'DELETE',
        'json',
        '{"dryRun":"All"}',
        400,
        `${unmarshal} string into Go struct field DeleteOptions.dryRun of type []`,
      ],
      [
        'DELETE',
        'json',
        '{"dryRun":[1]}',
        400,
        `${unmarshal} number into Go struct field DeleteOptions.dryRun of type`,
      ],
      [
        'DELETE',
        'json',
        '{"gracePeriodSeconds":1.5}',
        400,
        `${unmarshal} number 1.5 into Go struct field DeleteOptions.`,
      ],
      ['DELETE', 'json', '{"preconditions":{"uid":5}}', 400, 'into Go struct field Preconditions.preconditions.uid of'],
      [
        'DELETE',
        'json',
        '{"kind":5}',
        400,
        `${unmarshal} number into Go struct field DeleteOptions.kind of type string`,
      ],
    ])('%s %s %s: %i', async (method, type, body, status, message) => {
      await exchange(requestText(`POST ${MAPS}`, '{"metadata":{"name":"typed"}}'));
      const query = type === APPLY ? '?fieldManager=m' : '';
      const answer = await exchange(requestText(`${method} ${MAPS}/typed${query}`, body, `application/${type}`));
      expect(statusOf(answer)).toBe(status);
      if (message !== undefined) expect(bodyOf(answer)).toMatchObject({ message: expect.stringContaining(message) });
    });

    it('what the schema of an apply lets pass, and Go does not', async () => {
      const apply = (name: string, spec: string) => {
        const body = `{"apiVersion":"v1","kind":"Service","metadata":{"name":"${name}"},"spec":${spec}}`;
        const path = `/api/v1/namespaces/default/services/${name}?fieldManager=m`;
        return exchange(requestText(`PATCH ${path}`, body, 'application/apply-patch+yaml'));
      };
      expect(statusOf(await apply('typed', '{"ports":[{"port":80}]}'))).toBe(201);
      const refused = bodyOf(await apply('typed', '{"ports":[{"port":1e30}]}'));
      expect(refused).toMatchObject({ code: 500, message: expect.stringContaining('of type int32') });
      expect(refused).not.toHaveProperty('reason');
    });

    it('grace periods that are no durations of Go', async () => {
      const pods = '/api/v1/namespaces/default/pods';
      const spec =
        '{"nodeName":"n","terminationGracePeriodSeconds":9000000000000000000,"containers":[{"name":"c","image":"i"}]}';
      await exchange(requestText(`POST ${pods}`, `{"metadata":{"name":"lasting"},"spec":${spec}}`));
      const marked = await exchange(requestText(`DELETE ${pods}/lasting`));
      expect(bodyOf(marked)).toMatchObject({ metadata: { deletionTimestamp: expect.stringMatching(/^(1|2)\d{3}-/) } });
      expect(statusOf(await exchange(requestText(`DELETE ${pods}/lasting?gracePeriodSeconds=30`)))).toBe(200);
      expect(statusOf(await exchange(requestText(`DELETE ${pods}/lasting?gracePeriodSeconds=0`)))).toBe(200);
    });

    it.each([
      [`GET ${MAPS}`, 400],
      [`GET ${MAPS}/typed`, 500],
      [`GET ${MAPS}/typed?watch=1`, 500],
    ])('versions that no server can have: %s', async (line, status) => {
      const query = `${line.includes('?') ? '&' : '?'}resourceVersion=18446744073709551616`;
      const answer = await exchange(requestText(line + query));
      expect(statusOf(answer)).toBe(status);
      expect(bodyOf(answer)).toMatchObject({
        message: expect.stringMatching(/"18446744073709551616": value out of range$/),
      });
    });
  });

  it('a hundred of thousands of unknown fields are named, in heads that clients take', async () => {
    const fields = Array.from({ length: 50_000 }, (_, i) => [`field${i}`, 1]);
    const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'many' }, ...Object.fromEntries(fields) };
    const answer = await exchange(requestText(`POST ${MAPS}`, JSON.stringify(body)));
    expect(statusOf(answer)).toBe(201);
    expect(answer.text.match(/Warning: 299/g)).toHaveLength(100);
    expect(answer.text.indexOf('\r\n\r\n')).toBeLessThan(16 * 1024);
  });

  it('unknown fields with any characters are warned of, or not, and harm nobody', async () => {
    const body = JSON.stringify({
      kind: 'ConfigMap',
      apiVersion: 'v1',
      metadata: { name: 'odd' },
      'ä€\u0001': 1,
      ü: 2,
    });
    const answer = await exchange(requestText(`POST ${MAPS}`, body));
    expect(statusOf(answer)).toBe(201);
    expect(Buffer.from(answer.text, 'latin1').toString()).toContain('Warning: 299 - "unknown field \\"ü\\""');
  });
});

describe('fuzz', () => {
  const words = [
    ...['', '.', '..', '%2e%2e', '%00', '%', '~', 'api', 'apis', 'v1', 'apps', 'namespaces', 'default', 'configmaps'],
    ...[
      'pods',
      'status',
      'scale',
      'watch',
      '__proto__',
      'constructor',
      'customresourcedefinitions',
      'berth',
      'openapi',
    ],
  ];
  const path = fc.array(fc.oneof(fc.constantFrom(...words), fc.webSegment()), { maxLength: 7 });
  const keys = ['limit', 'continue', 'labelSelector', 'fieldSelector', 'resourceVersion', 'timeoutSeconds', 'dryRun'];
  const query = fc.array(fc.tuple(fc.constantFrom(...keys), fc.oneof(fc.string(), fc.constantFrom('0', '-1', 'All'))), {
    maxLength: 3,
  });
  const methods = ['GET', 'PUT', 'POST', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND', 'TRACE'];
  const types = ['application/json', 'application/yaml', 'application/merge-patch+json', 'application/json-patch+json'];
  const patches = ['application/strategic-merge-patch+json', 'application/apply-patch+yaml', 'text/plain', 'x'];
  const body = fc.oneof(
    fc.constant(''),
    fc.string(),
    fc.json(),
    fc
      .dictionary(fc.constantFrom('kind', 'apiVersion', 'metadata', 'spec', 'data', '__proto__'), fc.jsonValue())
      .map((one) => JSON.stringify(one)),
  );

  it('property: every request is answered, a refusal by a Status or as text, and the server lives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        path,
        query,
        fc.constantFrom(...types, ...patches, 'application/vnd.kubernetes.protobuf'),
        body,
        async (method, parts, pairs, type, text) => {
          const asked = pairs.map(([key, value]) => `${key}=${encodeURIComponent(value)}`).join('&');
          const answer = await exchange(requestText(`${method} /${parts.join('/')}?${asked}`, text, type), {
            ends: false,
          });
          const status = statusOf(answer);
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status === 500 ? answer.text : '').toBe('');
          if (status < 400 || method === 'HEAD' || !/content-type: application\/json/i.test(answer.text)) return;
          expect(bodyOf(answer)).toMatchObject({ kind: 'Status', status: 'Failure', code: status });
        },
      ),
      { numRuns: 200 },
    );
    await expectAlive();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('property: bytes of any kind are answered or cut off', async () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((one) => Buffer.from(one)),
      fc.string({ maxLength: 50 }).map((noise) => Buffer.from(requestText(`GET /api${noise}`))),
      fc.nat(200).map((length) => Buffer.from(requestText(`POST ${MAPS}`, '{"kind":"ConfigMap"}').slice(0, length))),
    );
    await fc.assert(
      fc.asyncProperty(bytes, async (one) => {
        const status = statusOf(await exchange(one));
        expect(status === 0 || status >= 200).toBe(true);
      }),
      { numRuns: 100 },
    );
    await expectAlive();
  });
});

describe('many and slow clients', () => {
  it('connections beyond the limit are refused, and those that say nothing are cut off', async () => {
    const sockets = await Promise.all(
      Array.from(
        { length: CONNECTIONS_MAX * 5 },
        () =>
          new Promise<Socket>((resolve) => {
            const socket = connect(port, '127.0.0.1', () => resolve(socket));
            socket.on('error', () => {});
          }),
      ),
    );
    await Promise.all(
      sockets.map(
        (socket) => new Promise<void>((resolve) => (socket.closed ? resolve() : socket.resume().on('close', resolve))),
      ),
    );
    await expectAlive();
  });

  it('a watcher that never reads is cut off, and holds nothing', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(requestText(`GET ${MAPS}?watch=1`));
    await new Promise<void>((resolve) => socket.once('data', () => resolve()));
    socket.pause();
    const data = { k: 'x'.repeat(500_000) };
    for (let i = 0; i < 40; i++) {
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `big-${i}` }, data };
      expect(statusOf(await exchange(requestText(`POST ${MAPS}`, JSON.stringify(object)), { ends: false }))).toBe(201);
    }
    // The server has closed its end; what it had sent before is still in the buffers of the machine.
    let bytes = 0;
    const isClosed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
    await new Promise<void>((resolve) => timers.after(limits.stallMillis * 2, resolve));
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await isClosed;
    expect(bytes).toBeLessThan(40 * 500_000);
    await vi.waitFor(expectAlive);
  });
});
