import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../src/api/pod.ts';
import type { ListOptions } from '../../src/store/objects/store-client.ts';
import type { Store } from '../../src/store/store.ts';
import { makeNode } from '../builders/make-node.ts';
import { makePod } from '../builders/make-pod.ts';
import { makeStore } from '../builders/make-store.ts';
import { refusal } from './refusal.ts';

function namesOf(pods: readonly Pod[]): string[] {
  return pods.map(({ metadata }) => `${metadata?.namespace}/${metadata?.name}`);
}

/** Reads all pages of a list; `between` is called before every page but the first. */
function pages(
  store: Store,
  options: ListOptions,
  between = (): void => {},
): { names: string[]; versions: Set<string> } {
  const names: string[] = [];
  const versions = new Set<string>();
  let token: string | undefined;
  do {
    if (token !== undefined) between();
    const page = store.list('pods', { ...options, continue: token });
    names.push(...namesOf(page.items));
    versions.add(page.resourceVersion);
    token = page.continue;
  } while (token !== undefined);
  return { names, versions };
}

describe('get', () => {
  it('finds by namespace and name', () => {
    const { store } = makeStore();
    const pod = store.create('pods', makePod('p', { namespace: 'kube-system' }));
    expect(store.get('pods', 'kube-system', 'p')).toBe(pod);
    expect(refusal(() => store.get('pods', 'default', 'p'))).toMatchObject({
      reason: 'NotFound',
      statusCode: 404,
      message: 'pods "p" not found',
    });
    expect(refusal(() => store.get('jobs', '', 'j')).message).toBe('jobs.batch "j" not found');
    store.create('nodes', makeNode('n'));
    expect(store.get('nodes', '', 'n').metadata?.name).toBe('n');
  });
});

describe('list', () => {
  it('is in the order of namespace and name, whatever the order of creation', () => {
    const { store } = makeStore();
    for (const [namespace, name] of [
      ['kube-system', 'b'],
      ['default', 'z'],
      ['kube-system', 'a'],
      ['default', 'a'],
    ] as const) {
      store.create('pods', makePod(name, { namespace }));
      store.list('pods');
    }
    store.delete('pods', 'default', 'a');
    store.create('pods', makePod('m'));
    const { items, resourceVersion } = store.list('pods');
    expect(namesOf(items)).toEqual(['default/m', 'default/z', 'kube-system/a', 'kube-system/b']);
    expect(resourceVersion).toBe(store.get('pods', 'default', 'm').metadata?.resourceVersion);
    expect(namesOf(store.list('pods', { namespace: 'kube-system' }).items)).toEqual(['kube-system/a', 'kube-system/b']);
  });

  it.each<[string, ListOptions, readonly string[]]>([
    ['a label', { labelSelector: 'app=web' }, ['web-1', 'web-2']],
    ['labels', { labelSelector: 'app in (web,db), tier!=back' }, ['db', 'web-1']],
    ['a label that is not there', { labelSelector: '!app' }, ['plain']],
    ['a node', { fieldSelector: 'spec.nodeName=n1' }, ['web-1']],
    ['no node', { fieldSelector: 'spec.nodeName=' }, ['db', 'plain', 'web-2']],
    ['a phase', { fieldSelector: 'status.phase!=Pending' }, ['db']],
    ['a name', { fieldSelector: 'metadata.name==db' }, ['db']],
    ['both', { labelSelector: 'app', fieldSelector: 'metadata.namespace=default,spec.schedulerName=mine' }, ['web-2']],
    ['a truth value', { fieldSelector: 'spec.hostNetwork=false', labelSelector: 'app=db' }, ['db']],
    ['nothing', { namespace: 'kube-system' }, []],
  ])('selects by %s', (_, options, expected) => {
    const { store } = makeStore();
    const create = (name: string, labels: Record<string, string>, spec: object): void => {
      const pod = makePod(name);
      store.create('pods', { metadata: { name, labels }, spec: { ...pod.spec, ...spec } });
    };
    create('web-2', { app: 'web', tier: 'back' }, { schedulerName: 'mine' });
    create('web-1', { app: 'web' }, { nodeName: 'n1' });
    create('plain', {}, {});
    create('db', { app: 'db' }, {});
    store.updateStatus('pods', { metadata: { name: 'db' }, status: { phase: 'Running' } });
    expect(store.list('pods', options).items.map(({ metadata }) => metadata?.name)).toEqual(expected);
  });

  it.each<[string, ListOptions, string]>([
    ['a field without selector', { fieldSelector: 'spec.containers=x' }, 'field label not supported: spec.containers'],
    ['a field of another kind', { fieldSelector: 'spec.unschedulable=true' }, 'field label not supported'],
    ['a field selector without operator', { fieldSelector: 'metadata.name' }, 'cannot understand metadata.name'],
    ['an escape of nothing', { fieldSelector: 'metadata.name=a\\b' }, 'cannot understand'],
    ['an open escape', { fieldSelector: 'metadata.name=a\\' }, 'cannot understand'],
    ['two values', { fieldSelector: 'metadata.name=a=b' }, 'cannot understand'],
    ['a bad label selector', { labelSelector: 'a b' }, 'unable to parse the label selector "a b": found "b"'],
    ['a negative limit', { limit: -1 }, 'limit: must be an integer >= 0'],
    ['a token of nobody', { continue: 'abc' }, 'continue key is not valid'],
    ['a token of the future', { continue: Buffer.from('[999,"a","b"]').toString('base64url') }, 'is not valid'],
    ['a token and a version', { continue: 'abc', resourceVersion: '1' }, 'not allowed when using continue'],
    ['a version that is no number', { resourceVersion: 'x' }, 'invalid resource version "x"'],
  ])('refuses %s', (_, options, message) => {
    const error = refusal(() => makeStore().store.list('pods', options));
    expect(error.reason).toBe('BadRequest');
    expect(error.message).toContain(message);
  });

  it('finds an event by who reports it, where it names no source', () => {
    const { store } = makeStore();
    const about = { involvedObject: { kind: 'Pod', namespace: 'default', name: 'p' } };
    const reportingComponent = 'kubelet';
    store.create('events', { ...about, metadata: { name: 'a' }, source: { component: 'x' }, reportingComponent });
    store.create('events', { ...about, metadata: { name: 'b' }, source: {}, reportingComponent });
    const names = (fieldSelector: string): unknown =>
      store.list('events', { fieldSelector }).items.map(({ metadata }) => metadata?.name);
    expect([names('source=kubelet'), names('source=x'), names('source=')]).toEqual([['b'], ['a'], []]);
  });

  it('refuses a version that has not come', () => {
    const { store } = makeStore();
    expect(store.list('pods', { resourceVersion: store.list('pods').resourceVersion }).items).toEqual([]);
    expect(refusal(() => store.list('pods', { resourceVersion: '99' }))).toMatchObject({
      reason: 'Timeout',
      message: 'Timeout: Too large resource version: 99, current: 5',
    });
  });

  it('comes in pages, which all show the same moment whatever is written meanwhile', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-d]{1,3}$/), { maxLength: 12 });
    const nodes = fc.constantFrom('', 'n1');
    const writes = fc.array(fc.tuple(fc.constantFrom('create', 'delete', 'label'), fc.stringMatching(/^[a-d]{1,2}$/)), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(names, writes, fc.integer({ min: 1, max: 4 }), nodes, (existing, script, limit, nodeName) => {
        const { store } = makeStore();
        for (const [i, name] of existing.entries()) {
          const { spec } = makePod(name);
          const namespace = i % 3 === 0 ? 'kube-system' : 'default';
          const onNode = i % 2 === 0 ? { nodeName: 'n1' } : {};
          store.create('pods', { metadata: { name, namespace }, spec: { ...spec, ...onNode } });
        }
        const { items, resourceVersion } = store.list('pods');
        const isWanted = ({ spec }: Pod): boolean => nodeName === '' || spec?.nodeName === nodeName;
        const options = nodeName === '' ? { limit } : { limit, fieldSelector: `spec.nodeName=${nodeName}` };
        const left = [...script];
        const { names: seen, versions } = pages(store, options, () => write(store, left.splice(0, 2)));
        expect(seen).toEqual(namesOf(items.filter(isWanted)));
        expect([...versions]).toEqual([resourceVersion]);
      }),
    );
  });

  it('says when its pages are too old to go on', () => {
    const { store } = makeStore(3);
    for (const name of ['a', 'b', 'c']) store.create('pods', makePod(name));
    const { continue: token } = store.list('pods', { limit: 1 });
    for (const name of ['d', 'e', 'f']) store.create('pods', makePod(name));
    expect(store.list('pods', { continue: token }).items).toHaveLength(2);
    store.create('pods', makePod('g'));
    expect(refusal(() => store.list('pods', { continue: token }))).toMatchObject({
      reason: 'Expired',
      statusCode: 410,
    });
  });
});

function write(store: Store, script: readonly (readonly [string, string])[]): void {
  for (const [verb, name] of script) {
    const isThere =
      store.list('pods', { namespace: 'default', fieldSelector: `metadata.name=${name}` }).items.length > 0;
    if (verb === 'create' && !isThere) store.create('pods', makePod(name));
    else if (verb === 'delete' && isThere) store.delete('pods', 'default', name);
    else if (isThere)
      store.patch('pods', 'default', name, { type: 'merge', body: { metadata: { labels: { x: verb } } } });
  }
}
