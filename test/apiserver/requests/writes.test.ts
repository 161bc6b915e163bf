import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../parity/api/start-server.ts';

let server: StartedServer;

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.close());

interface Got {
  readonly status: number;
  readonly warning: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers are of many kinds.
  readonly body: any;
}

async function send(method: string, path: string, body: unknown): Promise<Got> {
  const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, {
    method,
    headers: { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, warning: answer.headers.get('warning') ?? '', body: await answer.json() };
}

describe('a write', () => {
  it.each([
    ['/api/v1/namespaces/default/services/a', 'services/specs/default/a'],
    ['/apis/coordination.k8s.io/v1/namespaces/default/leases/a', 'leases/default/a'],
    ['/api/v1/nodes/a/status', 'minions/a'],
  ])('to %s of a uid that is not there is a conflict', async (path, key) => {
    const { status, body } = await send('PUT', path, { metadata: { name: 'a', uid: 'other' } });
    expect([status, body.reason]).toEqual([409, 'Conflict']);
    expect(body.message).toContain(
      `Key: /registry/${key}, ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: ` +
        'UID in precondition: other, UID in object meta: ',
    );
  });

  it('names each owner once', async () => {
    const owner = (name: string): object => ({ apiVersion: 'v1', kind: 'Pod', name, uid: 'u' });
    const metadata = { name: 'owned', ownerReferences: [owner('a'), owner('b'), owner('a'), owner('a')] };
    const path = '/api/v1/namespaces/default/configmaps';
    const created = await send('POST', path, { metadata });
    expect(created.body.metadata.ownerReferences).toEqual([owner('a'), owner('b')]);
    expect(created.warning).toMatch(/ contains duplicate entries; .* duplicate UID\(s\) observed: u, u"$/);
    const patched = await send('PATCH', `${path}/owned`, { metadata });
    expect(patched.body.metadata.resourceVersion).toBe(created.body.metadata.resourceVersion);
    expect(patched.warning).toContain('contains duplicate entries after mutating admission happens; API server dedups');
  });
});

describe('a token', () => {
  it('is bound to pods of its account, and to nodes and secrets', async () => {
    const core = '/api/v1/namespaces/default';
    for (const name of ['mine', 'other']) await send('POST', `${core}/serviceaccounts`, { metadata: { name } });
    const spec = { serviceAccountName: 'mine', containers: [{ name: 'c', image: 'i' }] };
    await send('POST', `${core}/pods`, { metadata: { name: 'p' }, spec });
    const ask = async (account: string, reference: object): Promise<[number, string]> => {
      const body = {
        spec: { audiences: ['a'], boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', ...reference } },
      };
      const answer = await send('POST', `${core}/serviceaccounts/${account}/token`, body);
      return [answer.status, answer.body.message];
    };
    expect((await ask('mine', {}))[0]).toBe(201);
    expect(await ask('other', {})).toEqual([
      400,
      'cannot bind token for serviceaccount "other" to pod running with different serviceaccount name.',
    ]);
    expect(await ask('mine', { kind: 'ConfigMap' })).toEqual([
      400,
      'cannot bind token to object of type /v1, Kind=ConfigMap',
    ]);
    expect(await ask('mine', { kind: 'Secret' })).toEqual([404, 'secrets "p" not found']);
    expect(await ask('mine', { uid: 'x' })).toEqual([
      409,
      'Operation cannot be fulfilled on Pod "p": the UID in the bound object reference (x) does not match the UID ' +
        'in record. The object might have been deleted and then recreated',
    ]);
  });
});

describe('an access review', () => {
  const review = async (attributes: object): Promise<string[]> => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    const { body } = await send('POST', path, { spec: { resourceAttributes: attributes } });
    const causes = (body.details?.causes ?? []) as { field: string; message: string }[];
    return causes.map(({ field, message }) => `${field.replace('spec.resourceAttributes.', '')}: ${message}`);
  };

  it('has selectors that select', async () => {
    const path = 'spec.resourceAttributes.fieldSelector';
    expect(await review({ fieldSelector: {}, labelSelector: { rawSelector: 'a' } })).toEqual([
      `fieldSelector.requirements: Required value: when ${path} is specified, requirements or rawSelector is required`,
    ]);
    const bare = { operator: 'In' };
    expect(
      await review({ fieldSelector: { rawSelector: 'a', requirements: [bare, { key: '!', operator: '?' }] } }),
    ).toEqual([
      'fieldSelector.rawSelector: Invalid value: "a": may not specified at the same time as requirements',
      'fieldSelector.requirements[0].key: Required value: must be specified',
      "fieldSelector.requirements[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
    ]);
    const wrong = { key: 'a', operator: 'Exists', values: ['!'] };
    expect(await review({ labelSelector: { requirements: [wrong] } })).toEqual([
      expect.stringContaining("values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'"),
      expect.stringContaining('values[0]: Invalid value: "!": a valid label must be'),
    ]);
  });
});
