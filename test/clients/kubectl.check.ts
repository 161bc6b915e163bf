import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kubectlPath } from '../cli/kubectl.ts';
import type { Ended } from './run-program.ts';
import { ServedCluster } from './served-cluster.ts';

const cluster = new ServedCluster();
const deployment = (replicas: number, image: string): string => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers: [{name: c, image: "${image}", resources: {requests: {cpu: 100m}}}]
`;

const tried = (...args: string[]): Promise<Ended> => cluster.run(kubectlPath(), ...args);

async function kubectl(...args: string[]): Promise<string> {
  const { exit, stdout, stderr } = await tried(...args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.any(String) });
  return stdout;
}

/** The pods of the deployment that nobody is deleting. */
async function livePods(): Promise<{ name: string; nodeName: string }[]> {
  const { items } = JSON.parse(await kubectl('get', 'pods', '-l', 'app=web', '-o', 'json')) as PodList;
  const live = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
  return live.map(({ metadata, spec }) => ({ name: metadata.name, nodeName: spec.nodeName }));
}

interface PodList {
  readonly items: readonly {
    readonly metadata: { readonly name: string; readonly deletionTimestamp?: string };
    readonly spec: { readonly nodeName: string };
  }[];
}

beforeAll(async () => {
  await cluster.start(3);
  cluster.write({ 'web.yaml': deployment(2, 'nginx:1'), 'new.yaml': deployment(2, 'nginx:2') });
});
afterAll(() => cluster.stop());

describe('kubectl', () => {
  it('applies a deployment, watches it, and waits until it is rolled out', async () => {
    const watched = tried('get', 'deploy', '-w', '--request-timeout=4s', '--no-headers');
    expect(await kubectl('apply', '-f', 'web.yaml')).toBe('deployment.apps/web created\n');
    expect(await kubectl('rollout', 'status', 'deploy/web', '--timeout=60s')).toContain('successfully rolled out');
    expect((await watched).stdout).toMatch(/^web +\d\/2 /m);
  });

  it('shows differences, and rolls a new revision out', async () => {
    const { exit, stdout } = await tried('diff', '-f', 'new.yaml');
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^-.*nginx:1\n^\+.*nginx:2$/m);
    expect(await kubectl('apply', '-f', 'new.yaml')).toBe('deployment.apps/web configured\n');
    await kubectl('rollout', 'status', 'deploy/web', '--timeout=60s');
    expect(await kubectl('rollout', 'history', 'deploy/web')).toMatch(/^2 /m);
    expect((await tried('diff', '-f', 'new.yaml')).exit).toBe(0);
  });

  it('describes, and lists events', async () => {
    const text = await kubectl('describe', 'deploy', 'web');
    expect(text).toContain('Replicas:               2 desired | 2 updated | 2 total | 2 available | 0 unavailable');
    const [pod] = await livePods();
    expect(await kubectl('describe', 'pod', `${pod?.name}`)).toContain('Successfully assigned default/web-');
  });

  it('may apply on the server what it has applied itself', async () => {
    expect(await kubectl('apply', '--server-side', '-f', 'new.yaml')).toBe('deployment.apps/web serverside-applied\n');
  });

  it('scales', async () => {
    expect(await kubectl('scale', 'deploy/web', '--replicas=5')).toBe('deployment.apps/web scaled\n');
    await kubectl('rollout', 'status', 'deploy/web', '--timeout=60s');
    expect(await livePods()).toHaveLength(5);
  });

  it('applies on the server what it has applied itself, but not over a change of scale', async () => {
    const refused = await tried('apply', '--server-side', '-f', 'new.yaml');
    expect(refused.stderr).toContain('conflict with "kubectl" with subresource "scale" using apps/v1: .spec.replicas');
    const forced = await kubectl('apply', '--server-side', '--force-conflicts', '-f', 'new.yaml');
    expect(forced).toBe('deployment.apps/web serverside-applied\n');
    expect(await kubectl('get', 'deploy', 'web', '-o', 'jsonpath={.spec.replicas}')).toBe('2');
  });

  it('explains fields, and lists resources', async () => {
    expect(await kubectl('explain', 'deployment.spec.strategy')).toContain('rollingUpdate');
    const names = (await kubectl('api-resources', '-o', 'name')).trim().split('\n');
    expect(names).toEqual(expect.arrayContaining(['pods', 'deployments.apps', 'leases.coordination.k8s.io']));
  });

  it('drains a node', async () => {
    const node = `${(await livePods())[0]?.nodeName}`;
    expect(await kubectl('drain', node, '--ignore-daemonsets', '--timeout=60s')).toContain(`node/${node} drained`);
    await kubectl('rollout', 'status', 'deploy/web', '--timeout=60s');
    expect(await kubectl('get', 'pods', '-o', 'jsonpath={.items[*].spec.nodeName}')).not.toContain(node);
    expect(await kubectl('uncordon', node)).toBe(`node/${node} uncordoned\n`);
  });

  it('deletes with what belongs to it', async () => {
    expect(await kubectl('delete', '-f', 'web.yaml', '--cascade=foreground', '--timeout=60s')).toContain('deleted');
    await kubectl('wait', '--for=delete', 'pods', '-l', 'app=web', '--timeout=60s');
    expect(await kubectl('get', 'pods', '-o', 'name')).toBe('');
  });
});
