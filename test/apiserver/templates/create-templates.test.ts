import { get, request } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../../src/apiserver/api-server.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';

const timers = new RealEventLoop((error) => {
  throw error;
});

/** A server on a clock of its own, which passes by a part of a second with every request. */
class Served {
  readonly store: Store;
  readonly #server: ApiServer;
  #port = 0;
  #nowMillis = Date.UTC(2026, 0, 1);

  constructor() {
    const clock = { nowMillis: () => this.#nowMillis };
    this.store = new Store({ clock, names: new RandomNames(new Prng(1)) });
    this.#server = new ApiServer({ ledger: this.store.ledger, clock, timers, seed: 2 });
  }

  async start(): Promise<void> {
    this.#port = await this.#server.listen('127.0.0.1', 0);
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  send(method: string, path: string, body = '', type = 'application/json'): Promise<string> {
    this.#nowMillis += 300;
    return new Promise((resolve, reject) => {
      const sent = request(
        { port: this.#port, host: '127.0.0.1', method, path, headers: { 'content-type': type } },
        (response) => {
          let text = `${response.statusCode} ${response.headers['warning'] ?? ''}\n`;
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve(text));
        },
      );
      sent.on('error', reject).end(body);
    });
  }

  /** The lines of a watch, as they come. */
  watch(path: string): string[] {
    const lines: string[] = [];
    get({ port: this.#port, host: '127.0.0.1', path }, (response) => {
      let rest = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        const all = (rest + chunk).split('\n');
        rest = all.pop() as string;
        lines.push(...all);
      });
      response.on('error', () => {});
    });
    return lines;
  }
}

/** The second server is told the type of JSON in words by which it does not know like objects. */
const served = [new Served(), new Served()] as const;
const TYPES = ['application/json', 'application/json;charset=utf-8'] as const;

async function sendBoth(method: string, path: string, body = ''): Promise<[string, string]> {
  return [await served[0].send(method, path, body, TYPES[0]), await served[1].send(method, path, body, TYPES[1])];
}

beforeAll(() => Promise.all(served.map((one) => one.start())));
afterAll(() => Promise.all(served.map((one) => one.close())));

const container = fc.record(
  {
    name: fc.constantFrom('c', 'd'),
    image: fc.constantFrom('nginx', 'nginx:1', 'über:1'),
    resources: fc.constantFrom({}, { requests: { cpu: '100m' } }, { requests: { cpu: '0.1' } }),
  },
  { requiredKeys: ['name', 'image'] },
);

const spec = fc.record(
  {
    containers: fc.uniqueArray(container, { minLength: 1, maxLength: 2, selector: ({ name }) => name }),
    schedulingGates: fc.constant([{ name: 'wait' }]),
    priorityClassName: fc.constantFrom('system-cluster-critical', 'system-node-critical', 'gold'),
    terminationGracePeriodSeconds: fc.constantFrom(0, 30),
    topologySpreadConstraints: fc.constant<object[]>([
      {
        ...{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' },
        ...{ labelSelector: { matchLabels: { tier: 'a' } }, matchLabelKeys: ['app'] },
      },
    ]),
  },
  { requiredKeys: ['containers'] },
);

const owners = [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }];

/** Mostly such metadata as every kind takes. */
const metadata = fc
  .tuple(
    fc.record(
      {
        labels: fc.dictionary(fc.constantFrom('app', 'tier', 'tier'), fc.constantFrom('a', 'b', ''), { maxKeys: 2 }),
        annotations: fc.constantFrom({}, { note: 'a "quoted" ü' }),
        generateName: fc.constant('gen-'),
        creationTimestamp: fc.constant(null),
        ownerReferences: fc.constant(owners),
      },
      { requiredKeys: [] },
    ),
    fc.oneof(
      { weight: 6, arbitrary: fc.constant({}) },
      fc.constantFrom<object>(
        ...[{ namespace: 'other' }, { uid: 'given' }, { resourceVersion: '1' }, { finalizers: ['example.com/hold'] }],
        ...[{ labels: { 'bad key': 'a' } }, { labels: { app: 'ü"' } }, { labels: null }, { generateName: 'g.en-' }],
        ...[{ annotations: { 'container.seccomp.security.alpha.kubernetes.io/c': 'x' } }, { managedFields: [] }],
      ),
    ),
  )
  .map(([plain, special]): { readonly labels?: Readonly<Record<string, string>> | null } => ({ ...plain, ...special }));

const names = fc.array(
  fc.oneof(
    { weight: 9, arbitrary: fc.stringMatching(/^[a-z][a-z0-9]{2,5}$/) },
    fc.constantFrom('a.b', 'Bad', '', '-', 'pod-1', undefined),
  ),
  { minLength: 3, maxLength: 6 },
);

/** Objects of one template, with what a client may vary in the text. */
const creates = fc.record({
  metadata,
  names,
  labelValues: fc.array(fc.constantFrom('a', 'a', 'a', 'b', 'c.d', '', 'x_y', 'not valid'), {
    minLength: 1,
    maxLength: 3,
  }),
  state: fc.oneof(
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('Pod'), spec }) },
    fc.record({ kind: fc.constant('ConfigMap'), data: fc.constantFrom({ a: 'b' }, { '/': 'b' }) }),
  ),
  isMetadataLast: fc.boolean(),
  indent: fc.constantFrom(0, 2),
  query: fc.constantFrom(
    '',
    '',
    '?fieldManager=me',
    '?fieldValidation=Strict',
    '?fieldValidation=Ignore',
    '?dryRun=All',
  ),
  addition: fc.constantFrom('', '', '', '', ',"kind":"Pod"', ',"unknown":1'),
});

const others = fc.constantFrom(
  [
    'POST',
    '/api/v1/namespaces/default/limitranges',
    { spec: { limits: [{ type: 'Container', default: { cpu: '1' } }] } },
  ],
  ['DELETE', '/api/v1/namespaces/default/limitranges/o', undefined],
  ['POST', '/api/v1/namespaces/default/resourcequotas', { spec: { hard: { pods: '1000' } } }],
  ['DELETE', '/api/v1/namespaces/default/resourcequotas/o', undefined],
  ['POST', '/apis/scheduling.k8s.io/v1/priorityclasses', { value: 7, globalDefault: true }],
  ['DELETE', '/apis/scheduling.k8s.io/v1/priorityclasses/o', undefined],
) as fc.Arbitrary<[string, string, object | undefined]>;

type Creates = typeof creates extends fc.Arbitrary<infer T> ? T : never;

function bodiesOf({
  metadata: given,
  names: all,
  labelValues,
  state,
  isMetadataLast,
  indent,
  addition,
}: Creates): string[] {
  return all.map((name, i) => {
    const labels =
      given.labels &&
      Object.fromEntries(
        Object.entries(given.labels).map(([key, value], at) => [
          key,
          at === 0 ? labelValues[i % labelValues.length] : value,
        ]),
      );
    const own = { ...given, ...(labels && { labels }), ...(name !== undefined && { name }) };
    const { kind, ...rest } = state;
    const head = { apiVersion: 'v1', kind };
    const object = isMetadataLast ? { ...rest, ...head, metadata: own } : { ...head, metadata: own, ...rest };
    const text = JSON.stringify(object, null, indent);
    return text.replace(/\}$/, `${addition}}`);
  });
}

describe('creates of like objects', () => {
  it('share what they have in common, from the third on', async () => {
    const bodyOf = (name: string): string =>
      JSON.stringify({
        ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, labels: { app: 'shared' } } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      });
    for (const name of ['s1', 's2', 's3', 's4', 's5'])
      await sendBoth('POST', '/api/v1/namespaces/default/pods', bodyOf(name));
    const specs = served.map(({ store }) => ['s3', 's4', 's5'].map((name) => store.get('pods', 'default', name)?.spec));
    expect(new Set(specs[0]).size).toBe(1);
    expect(new Set(specs[1]).size).toBe(3);
    expect(specs[0]).toEqual(specs[1]);
  });

  it('property: the objects, their texts and their events are those of creates one by one', async () => {
    const selected = '/api/v1/pods?watch=1&labelSelector=app%3Da';
    const watches = served.map((one) => one.watch(selected));
    const step = fc.oneof({ weight: 5, arbitrary: creates }, others);
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 4 }), async (steps) => {
        for (const one of steps) {
          if (Array.isArray(one)) {
            const [method, path, object] = one;
            const [a, b] = await sendBoth(
              method,
              path,
              object && JSON.stringify({ ...object, metadata: { name: 'o' } }),
            );
            expect(a).toEqual(b);
            continue;
          }
          const plural = one.state.kind === 'Pod' ? 'pods' : 'configmaps';
          for (const body of bodiesOf(one)) {
            const path = `/api/v1/namespaces/default/${plural}${one.query}`;
            const [a, b] = await sendBoth('POST', path, body);
            expect(a).toEqual(b);
          }
        }
      }),
      { numRuns: 30 },
    );
    for (const path of [
      '/api/v1/pods',
      '/api/v1/configmaps',
      '/api/v1/pods?pretty=1',
      '/api/v1/pods?labelSelector=app%3Db',
    ]) {
      const [a, b] = await sendBoth('GET', path);
      expect(a).toEqual(b);
    }
    const last = { ...{ apiVersion: 'v1', kind: 'Pod' }, metadata: { name: 'last-one', labels: { app: 'a' } } };
    const spec = { containers: [{ name: 'c', image: 'nginx' }] };
    await sendBoth('POST', '/api/v1/namespaces/default/pods', JSON.stringify({ ...last, spec }));
    for (const lines of watches) await expect.poll(() => lines.at(-1)).toContain('"last-one"');
    expect(watches[0]).toEqual(watches[1]);
    expect(watches[0]?.length).toBeGreaterThan(1);
  });
});
