import { afterAll, beforeAll, expect, it } from 'vitest';
import { helmPath, kubectlPath } from '../cli/kubectl.ts';
import { ServedCluster } from './served-cluster.ts';

const cluster = new ServedCluster();

const CHART = {
  'shop/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
  'shop/values.yaml': 'replicas: 2\ngreeting: hello\n',
  'shop/templates/config.yaml': `
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-config}
data: {greeting: {{ .Values.greeting | quote }}}
`,
  'shop/templates/service.yaml': `
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}}
spec:
  selector: {app: {{ .Release.Name }}}
  ports: [{port: 80, targetPort: 8080}]
`,
  'shop/templates/deployment.yaml': `
apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: {{ .Values.replicas }}
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: {{ .Release.Name }}}}
    spec:
      containers:
      - name: c
        image: nginx:1
        envFrom: [{configMapRef: {name: {{ .Release.Name }}-config}}]
`,
};

async function run(program: string, ...args: string[]): Promise<string> {
  const { exit, stdout, stderr } = await cluster.run(program, ...args);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: expect.any(String) });
  return stdout;
}

beforeAll(async () => {
  await cluster.start(3);
  cluster.write(CHART);
});
afterAll(() => cluster.stop());

it('helm installs, upgrades and removes a chart whose pods run', async () => {
  const [helm, kubectl] = [helmPath(), kubectlPath()];
  expect(await run(helm, 'install', 'mine', './shop', '--wait', '--timeout', '60s')).toContain('STATUS: deployed');
  const phases = ['get', 'pods', '-l', 'app=mine', '-o', 'jsonpath={.items[*].status.phase}'];
  expect(await run(kubectl, ...phases)).toBe('Running Running');
  expect(await run(kubectl, 'get', 'cm', 'mine-config', '-o', 'jsonpath={.data.greeting}')).toBe('hello');
  expect(await run(kubectl, 'get', 'svc', 'mine', '-o', 'jsonpath={.spec.clusterIP}')).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
  await run(helm, 'upgrade', 'mine', './shop', '--set', 'replicas=3', '--wait', '--timeout', '60s');
  expect((await run(kubectl, ...phases)).split(' ')).toHaveLength(3);
  expect(await run(helm, 'list')).toContain('mine');
  expect(await run(helm, 'uninstall', 'mine', '--wait', '--timeout', '60s')).toContain('uninstalled');
});
