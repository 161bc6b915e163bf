import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { run } from '../../src/cli/program.ts';
import type { Terminal } from '../../src/cli/terminal/terminal.ts';
import { kubectlPath } from './kubectl.ts';
import { textTerminal } from './run-berth.ts';

const directory = mkdtempSync(join(tmpdir(), 'berth-serve-'));
const kubeconfig = join(directory, 'kubeconfig');
let interrupt = (): void => {};
let ended: Promise<number> | undefined;

beforeAll(async () => {
  const printed = new Promise<string>((resolve) => {
    const terminal: Terminal = {
      ...textTerminal().terminal,
      print: async (text) => resolve(text),
      onInterrupt: (listener) => {
        interrupt = listener;
        return () => {};
      },
    };
    ended = run(['serve', '--nodes', '10', '--agents', '--kubeconfig', kubeconfig], terminal);
  });
  expect(await printed).toBe(`export KUBECONFIG=${kubeconfig}\n`);
});

afterAll(async () => {
  interrupt();
  expect(await ended).toBe(130);
  rmSync(directory, { recursive: true });
});

/** Runs the real kubectl; rejects when it fails. */
function kubectl(...args: string[]): Promise<string> {
  const env = { PATH: '', HOME: directory, KUBECONFIG: kubeconfig };
  return new Promise((resolve, reject) => {
    execFile(kubectlPath(), args, { env }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout);
      else reject(new Error(`kubectl ${args.join(' ')}: ${stderr}`));
    });
  });
}

const REPLICA_SET = `
apiVersion: apps/v1
kind: ReplicaSet
metadata: {name: web}
spec:
  replicas: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: c, image: nginx, resources: {requests: {cpu: 100m}}}]}
`;

it('writes a kubeconfig that only its owner may read', () => {
  expect(statSync(kubeconfig).mode & 0o777).toBe(0o600);
});

it('get nodes: ten, and ready', async () => {
  await kubectl('wait', '--for=condition=Ready', 'nodes', '--all', '--timeout=30s');
  const lines = (await kubectl('get', 'nodes', '--no-headers')).trim().split('\n');
  expect(lines.map((line) => line.split(/\s+/).slice(0, 2).join(' '))).toEqual(
    Array.from({ length: 10 }, (_, i) => `node-0000${i} Ready`),
  );
});

it('create, apply, wait, scale, delete: pods are scheduled and run', async () => {
  expect(await kubectl('create', 'namespace', 'shop')).toBe('namespace/shop created\n');
  const manifest = join(directory, 'web.yaml');
  writeFileSync(manifest, REPLICA_SET);
  expect(await kubectl('-n', 'shop', 'apply', '-f', manifest)).toBe('replicaset.apps/web created\n');
  expect(await kubectl('-n', 'shop', 'apply', '-f', manifest)).toBe('replicaset.apps/web unchanged\n');
  const ready = ['wait', '--for=jsonpath={.status.readyReplicas}=3', 'rs/web', '--timeout=30s'];
  expect(await kubectl('-n', 'shop', ...ready)).toContain('condition met');
  expect(await kubectl('-n', 'shop', 'scale', 'rs/web', '--replicas=1')).toBe('replicaset.apps/web scaled\n');
  expect(await kubectl('-n', 'shop', 'create', 'configmap', 'c', '--from-literal=a=b')).toBe('configmap/c created\n');
  expect(await kubectl('explain', 'pod.spec.containers.image')).toContain('FIELD: image <string>');
  expect(await kubectl('auth', 'can-i', 'delete', 'nodes')).toBe('yes\n');
  expect(await kubectl('delete', 'namespace', 'shop')).toContain('deleted');
  expect(await kubectl('get', 'namespaces', '-o', 'name')).not.toContain('shop');
});
