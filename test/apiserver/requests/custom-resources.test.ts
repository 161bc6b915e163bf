import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApiServer } from '../../../src/apiserver/api-server.ts';
import { RealEventLoop } from '../../../src/lib/event-loop.ts';
import { Prng } from '../../../src/lib/prng.ts';
import { RandomNames } from '../../../src/store/objects/names.ts';
import { Store } from '../../../src/store/store.ts';
import { makeDefinition } from '../../builders/make-definition.ts';

const timers = new RealEventLoop((error) => {
  throw error;
});
const store = new Store({ clock: timers, names: new RandomNames(new Prng(1)) });
const server = new ApiServer({ ledger: store.ledger, clock: timers, timers, seed: 2 });
const TESTS = '/apis/example.com/v1/namespaces/default/tests';
let url = '';

const DEFINITION = makeDefinition('Test', {
  subresources: { scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' } },
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
});

beforeAll(async () => {
  url = `http://127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  await server.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'default' } }).catch(() => {});
  await server.create(DEFINITION);
  const test = { apiVersion: 'example.com/v1', kind: 'Test', metadata: { name: 'a' } };
  await server.create({ ...test, spec: { replicas: 2, b: [{ d: 1, c: 2 }], a: 1 } } as typeof test);
});
afterAll(() => server.close());

const text = async (path: string, accept = 'application/json'): Promise<string> =>
  (await fetch(url + path, { headers: { accept } })).text();

describe('custom resources', () => {
  it('have a scale without a selector where the definition does not say where one is', async () => {
    const scale = JSON.parse(await text(`${TESTS}/a/scale`)) as { spec: object; status: object };
    expect(scale.spec).toEqual({ replicas: 2 });
    expect(scale.status).toEqual({ replicas: 0 });
  });

  it('are written with their members by name, and so are lists of them', async () => {
    const list = await text(TESTS);
    expect(list).toMatch(
      /^\{"apiVersion":"example.com\/v1","items":\[\{"apiVersion":.*\}\],"kind":"TestList","metadata":/,
    );
    expect(list).toContain('"spec":{"a":1,"b":[{"c":2,"d":1}],"replicas":2}');
    expect(JSON.parse(list)).toMatchObject({ kind: 'TestList', metadata: { continue: '' } });
  });

  it('have a scale with columns of its own', async () => {
    const table = JSON.parse(await text(`${TESTS}/a/scale`, 'application/json;as=Table;g=meta.k8s.io;v=v1')) as {
      columnDefinitions: { name: string }[];
      rows: { cells: unknown[] }[];
    };
    expect(table.columnDefinitions.map(({ name }) => name)).toEqual(['Name', 'Desired', 'Available', 'Age']);
    expect(table.rows[0]?.cells.slice(0, 3)).toEqual(['a', 2, 0]);
  });
});
