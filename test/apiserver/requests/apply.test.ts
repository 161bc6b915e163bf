import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../parity/api/start-server.ts';

let server: StartedServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

const APPS = '/apis/apps/v1/namespaces/default/deployments';
const TYPES = { apply: 'application/apply-patch+yaml', merge: 'application/merge-patch+json' } as const;

interface Got {
  readonly status: number;
  readonly warnings: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: answers are of many kinds.
  readonly body: any;
}

async function send(method: string, path: string, body?: unknown, type?: keyof typeof TYPES): Promise<Got> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'content-type': type === undefined ? 'application/json' : TYPES[type] },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: answer.status, warnings: answer.headers.get('warning'), body: await answer.json() };
}

function deployment(name: string, replicas?: number): object {
  const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
  const spec = { selector: { matchLabels: { a: 'b' } }, template, ...(replicas === undefined ? {} : { replicas }) };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name }, spec };
}

function scale(name: string, replicas: number): object {
  return { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec: { replicas } };
}

describe('an apply', () => {
  it('to a scale owns the number of replicas of the scaled object', async () => {
    await send('PATCH', `${APPS}/s?fieldManager=all`, deployment('s', 2), 'apply');
    const refused = await send('PATCH', `${APPS}/s/scale?fieldManager=m`, scale('s', 3), 'apply');
    expect(refused).toMatchObject({
      status: 409,
      body: { message: 'Apply failed with 1 conflict: conflict with "all": .spec.replicas' },
    });
    const forced = await send('PATCH', `${APPS}/s/scale?fieldManager=m&force=true`, scale('s', 3), 'apply');
    expect(forced).toMatchObject({ status: 200, body: { kind: 'Scale', spec: { replicas: 3 } } });
    const { body } = await send('GET', `${APPS}/s`);
    expect(body.spec.replicas).toBe(3);
    const [second, first] = body.metadata.managedFields;
    expect(first).toMatchObject({ manager: 'all', operation: 'Apply' });
    expect(first.fieldsV1['f:spec']['f:replicas']).toBeUndefined();
    const owned = { 'f:spec': { 'f:replicas': {} } };
    const head = { manager: 'm', operation: 'Apply', apiVersion: 'apps/v1', subresource: 'scale' };
    expect(second).toEqual({ ...head, fieldsType: 'FieldsV1', fieldsV1: owned });
  });

  it('to a scale that others have updated names the version of scales', async () => {
    await send('POST', APPS, deployment('u', 1));
    await send('PATCH', `${APPS}/u/scale?fieldManager=x`, { spec: { replicas: 2 } }, 'merge');
    const refused = await send('PATCH', `${APPS}/u/scale?fieldManager=m`, scale('u', 3), 'apply');
    const who = '"x" with subresource "scale" using autoscaling/v1';
    expect(refused.body.message).toBe(`Apply failed with 1 conflict: conflict with ${who}: .spec.replicas`);
  });

  it('cannot choose the uid of a new object', async () => {
    const object = { ...deployment('n'), metadata: { name: 'n', uid: 'x' } };
    const { status, body } = await send('PATCH', `${APPS}/n?fieldManager=m`, object, 'apply');
    expect(status).toBe(409);
    expect(body.message).toMatch(
      /uid mismatch: the provided object specified uid x, and no existing object was found$/,
    );
  });

  it('says of keys that are given twice in which line they stand', async () => {
    const path = '/api/v1/namespaces/default/configmaps/c?fieldManager=m';
    const text = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  x: a\n  x: b\n';
    const { status, warnings } = await send('PATCH', path, text, 'apply');
    expect([status, warnings]).toEqual([201, '299 - "line 7: key \\"x\\" already set in map"']);
    const strict = await send('PATCH', `${path}&fieldValidation=Strict`, text, 'apply');
    const why = 'yaml: unmarshal errors:\n  line 7: key "x" already set in map';
    expect(strict.body.message).toBe(`error strict decoding YAML: error converting YAML to JSON: ${why}`);
  });

  it('needs an object', async () => {
    const { body } = await send('PATCH', `${APPS}/n?fieldManager=m`, '[]', 'apply');
    const why = 'json: cannot unmarshal array into Go value of type map[string]interface {}';
    expect(body.message).toBe(`error decoding YAML: error unmarshaling JSON: while decoding JSON: ${why}`);
  });
});
