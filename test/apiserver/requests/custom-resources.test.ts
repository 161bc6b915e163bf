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

describe('a definition with several versions', () => {
  const version = (name: string, more: object = {}): object => ({
    ...{ name, served: true, storage: name === 'v1', ...more },
    schema: { openAPIV3Schema: { type: 'object' } },
  });
  const definition = (...versions: object[]): object => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'olds.several.example.com' },
    spec: { group: 'several.example.com', names: { plural: 'olds', kind: 'Old' }, scope: 'Namespaced', versions },
  });
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const olds = (name: string): string => `/apis/several.example.com/${name}/namespaces/default/olds`;
  const send = async (method: string, where: string, body: object): Promise<Response> =>
    fetch(url + where, {
      method,
      body: JSON.stringify(body),
      headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    });

  it('prefers finished ones, warns of deprecated ones, and goes when nobody holds its objects', async () => {
    const beta = version('v1beta1', { deprecated: true });
    const said = version('v2alpha1', { deprecated: true, deprecationWarning: 'gone soon' });
    expect((await send('POST', path, definition(beta, version('v1'), said))).status).toBe(201);
    const group = JSON.parse(await text('/apis/several.example.com')) as { versions: { version: string }[] };
    expect(group.versions.map(({ version }) => version)).toEqual(['v1', 'v1beta1', 'v2alpha1']);
    const warning = async (name: string): Promise<string | null> =>
      (await fetch(url + olds(name))).headers.get('warning');
    expect(await warning('v1')).toBeNull();
    expect(await warning('v1beta1')).toContain(
      'several.example.com/v1beta1 Old is deprecated; use several.example.com/v1 Old',
    );
    expect(await warning('v2alpha1')).toContain('gone soon');

    const stored = { ...beta, storage: true };
    const kept = { ...version('v1'), storage: false };
    const moved = await send('PATCH', `${path}/olds.several.example.com`, { spec: { versions: [stored, kept] } });
    expect(await moved.json()).toMatchObject({ status: { storedVersions: ['v1', 'v1beta1'] } });

    const held = { metadata: { name: 'held', finalizers: ['example.com/held'] } };
    await send('POST', olds('v1'), held);
    await send('POST', olds('v1'), { metadata: { name: 'free' } });
    await fetch(`${url}${path}/olds.several.example.com`, { method: 'DELETE' });
    const left = JSON.parse(await text(olds('v1'))) as { items: { metadata: { name: string } }[] };
    expect(left.items.map(({ metadata }) => metadata.name)).toEqual(['held']);
    const refused = await send('POST', olds('v1'), { metadata: { name: 'late' } });
    expect([refused.status, ((await refused.json()) as { message: string }).message]).toEqual([
      405,
      'create not allowed while custom resource definition is terminating',
    ]);
    expect(await text(`${path}/olds.several.example.com`)).toContain('InstanceDeletionInProgress');
    await send('PATCH', `${olds('v1')}/held`, { metadata: { finalizers: null } });
    expect(await text(`${path}/olds.several.example.com`)).toContain('not found');
  });
});

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
