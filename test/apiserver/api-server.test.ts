import { request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../src/apiserver/api-server.ts';
import { RealEventLoop } from '../../src/lib/event-loop.ts';
import { Prng } from '../../src/lib/prng.ts';
import { RandomNames } from '../../src/store/objects/names.ts';
import { Store } from '../../src/store/store.ts';
import { makePod } from '../builders/make-pod.ts';

const timers = new RealEventLoop((error) => {
  throw error;
});
const store = new Store({ clock: timers, names: new RandomNames(new Prng(1)) });
const server = new ApiServer({
  ledger: store.ledger,
  clock: timers,
  timers,
  seed: 2,
  access: { token: 'secret', hosts: ['127.0.0.1'] },
});
let port = 0;

beforeAll(async () => {
  port = await server.listen('127.0.0.1', 0);
});

afterAll(() => server.close());

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Buffer;
}

interface Got {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

function send({ method = 'GET', path, headers = {}, body }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const all = { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers };
    const sent = request({ host: '127.0.0.1', port, method, path, headers: all }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => {
        const isJson = text.startsWith('{');
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : {} });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps';

describe('who is let in', () => {
  it('refuses a request without the token, or with another one', async () => {
    for (const authorization of ['', 'Bearer', 'Bearer secreT', 'Bearer secretsecret', 'Basic secret']) {
      const { status, body } = await send({ path: '/api', headers: { authorization } });
      expect({ status, reason: body['reason'] }).toEqual({ status: 401, reason: 'Unauthorized' });
    }
  });

  it('refuses another name of the server, and pages from elsewhere', async () => {
    expect((await send({ path: '/api', headers: { host: 'evil.example.com' } })).status).toBe(403);
    expect((await send({ path: '/api', headers: { origin: 'https://evil.example.com' } })).status).toBe(403);
    expect((await send({ path: '/api' })).status).toBe(200);
  });
});

describe('what the store and the API know of each other', () => {
  it('shows objects that were made inside of this process with all defaults', async () => {
    store.create('pods', { metadata: { name: 'inside' }, spec: { containers: [{ name: 'c', image: 'nginx:1' }] } });
    const { body } = await send({ path: '/api/v1/namespaces/default/pods/inside' });
    expect(body['spec']).toMatchObject({
      dnsPolicy: 'ClusterFirst',
      containers: [{ imagePullPolicy: 'IfNotPresent', terminationMessagePath: '/dev/termination-log' }],
    });
  });

  it('lets the store see what clients write, in one sequence of versions', async () => {
    const watch = store.watch('nodes', { resourceVersion: String(store.ledger.version) });
    const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'outside' } };
    const { status } = await send({ method: 'POST', path: '/api/v1/nodes', body: JSON.stringify(node) });
    expect(status).toBe(201);
    expect(watch.next()).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'outside' } } });
    expect(store.get('nodes', '', 'outside').metadata?.resourceVersion).toBe(String(store.ledger.version));
  });
});

describe('bad input', () => {
  it.each([
    ['malformed JSON', { method: 'POST', path: CONFIG_MAPS, body: '{"a":' }, 400],
    ['another type', { method: 'POST', path: CONFIG_MAPS, headers: { 'content-type': 'text/x' }, body: 'x' }, 415],
    [
      'bytes that claim to be protobuf',
      {
        method: 'POST',
        path: CONFIG_MAPS,
        headers: { 'content-type': 'application/vnd.kubernetes.protobuf' },
        body: 'k8s',
      },
      415,
    ],
    ['a huge body', { method: 'POST', path: CONFIG_MAPS, body: Buffer.alloc(4 * 2 ** 20, 32) }, 413],
    ['a name that climbs', { path: '/api/v1/namespaces/default/pods/%2E%2E' }, 400],
    ['a path that cannot be decoded', { path: '/api/v1/%zz' }, 404],
    ['an unknown method', { method: 'PROPFIND', path: CONFIG_MAPS }, 405],
    ['a number that is none', { path: `${CONFIG_MAPS}?limit=many` }, 400],
    ['a list of a version to come', { path: `${CONFIG_MAPS}?resourceVersion=999999999` }, 504],
  ] as const)('%s', async (_, sent, status) => {
    const got = await send(sent as Sent).catch((error) => ({ status: 413, body: { error } }));
    expect(got.status).toBe(status);
    expect((await send({ path: '/api' })).status).toBe(200);
  });

  it('lives on after half a request', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        socket.write('POST /api/v1/nodes HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\n{"a"');
        socket.destroy();
        resolve();
      });
    });
    expect((await send({ path: '/api' })).status).toBe(200);
  });
});

interface Page {
  readonly metadata: { readonly continue: string };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
  readonly message?: string;
}

describe('a list in pages', () => {
  it('goes on in the present state, if the client wants, when that of its first page is forgotten', async () => {
    const small = new Store({ clock: timers, names: new RandomNames(new Prng(3)) }, { historyLimit: 4 });
    const api = new ApiServer({ ledger: small.ledger, clock: timers, timers, seed: 4 });
    const base = `http://127.0.0.1:${await api.listen('127.0.0.1', 0)}${CONFIG_MAPS}`;
    const list = async (query: string) => (await (await fetch(`${base}?${query}`)).json()) as Page;
    const create = async (name: string) => {
      const headers = { 'content-type': 'application/json' };
      await fetch(base, { method: 'POST', headers, body: JSON.stringify({ metadata: { name } }) });
    };
    const namesOf = ({ items }: Page) => items.map(({ metadata }) => metadata.name);
    for (const name of ['a', 'b', 'd']) await create(name);
    const first = await list('limit=1');
    expect(namesOf(first)).toEqual(['a']);
    const only = await list('limit=1&fieldSelector=metadata.name%3Db');
    expect([namesOf(only), only.metadata.continue]).toEqual([['b'], undefined]);
    const behind = await list(`limit=1&fieldSelector=metadata.name%3Da&continue=${first.metadata.continue}`);
    expect(namesOf(behind)).toEqual([]);
    for (const name of ['c', 'w', 'x', 'y', 'z']) await create(name);
    const lost = await list(`limit=2&continue=${first.metadata.continue}`);
    expect(lost).toMatchObject({ kind: 'Status', code: 410, reason: 'Expired' });
    expect(lost.message).toMatch(/or use the continue token in this response to retrieve the remainder of the results/);
    const next = await list(`limit=2&continue=${lost.metadata.continue}`);
    expect(namesOf(next)).toEqual(['b', 'c']);
    expect(namesOf(await list(`limit=2&continue=${next.metadata.continue}`))).toEqual(['d', 'w']);
    await api.close();
  });

  it('of the pods of a node goes on where a page is full, whether or not pods of the node are behind it', async () => {
    const pods = new Store({ clock: timers, names: new RandomNames(new Prng(5)) });
    const api = new ApiServer({ ledger: pods.ledger, clock: timers, timers, seed: 6 });
    const base = `http://127.0.0.1:${await api.listen('127.0.0.1', 0)}/api/v1/namespaces/default/pods`;
    const on = (name: string, nodeName: string, namespace = 'default') => {
      const { spec } = makePod(name);
      pods.create('pods', { metadata: { name, namespace }, spec: { ...spec, ...(nodeName && { nodeName }) } });
    };
    const list = async (query: string) => {
      const answer = await fetch(`${base}?fieldSelector=spec.nodeName%3D${query}`);
      const { items, metadata } = (await answer.json()) as Page;
      return { names: items.map((item) => item.metadata.name).join(), continue: metadata.continue };
    };
    for (const [name, node] of [
      ['c', 'n1'],
      ['b', 'n2'],
      ['a', 'n1'],
      ['z', ''],
    ] as const)
      on(name, node);
    on('other', 'n1', 'kube-system');
    expect(await list('n1')).toEqual({ names: 'a,c' });
    expect(await list('n1&limit=4')).toEqual({ names: 'a,c' });
    const full = await list('n1&limit=2');
    expect(full).toEqual({ names: 'a,c', continue: expect.any(String) });
    expect(await list(`n1&limit=2&continue=${full.continue}`)).toEqual({ names: '' });
    expect(await list(`n1&limit=9&continue=${(await list('n1&limit=1')).continue}`)).toEqual({ names: 'c' });
    expect(await list('')).toEqual({ names: 'z' });
    await api.close();
  });
});

describe('a watch as YAML', () => {
  it('is refused', async () => {
    const { status, body } = await send({ path: `${CONFIG_MAPS}?watch=1`, headers: { accept: 'application/yaml' } });
    expect(status).toBe(406);
    expect(body['message']).toContain(
      'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch',
    );
  });
});

describe('a watch that nobody reads', () => {
  it('holds no events, and ends with an error when the history has moved on', async () => {
    const small = new Store({ clock: timers, names: new RandomNames(new Prng(3)) }, { historyLimit: 64 });
    const api = new ApiServer({ ledger: small.ledger, clock: timers, timers, seed: 4 });
    const at = await api.listen('127.0.0.1', 0);
    const path = `${CONFIG_MAPS}?watch=1&resourceVersion=${small.ledger.version}`;
    const lines = await new Promise<string[]>((resolve) => {
      const sent = request({ host: '127.0.0.1', port: at, path }, (response) => {
        // The reader begins when far more than sockets and history hold has been written.
        void write(at).then(() => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text.trim().split('\n')));
        });
      });
      sent.end();
    });
    const last = JSON.parse(lines.at(-1) as string) as { type: string; object: { code: number; reason: string } };
    expect(last).toMatchObject({ type: 'ERROR', object: { code: 410, reason: 'Expired' } });
    await api.close();
  });
});

/** Creates config maps of 100 kB each, directly, far more than the watch can have buffered. */
async function write(at: number): Promise<void> {
  const data = { k: 'x'.repeat(100_000) };
  for (let i = 0; i < 200; i++) {
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `c${i}` }, data };
    await new Promise<void>((resolve) => {
      const headers = { 'content-type': 'application/json' };
      const sent = request({ host: '127.0.0.1', port: at, method: 'POST', path: CONFIG_MAPS, headers }, (response) => {
        response.resume().on('end', () => resolve());
      });
      sent.end(JSON.stringify(object));
    });
  }
}
