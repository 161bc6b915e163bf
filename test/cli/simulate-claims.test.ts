import { expect, it } from 'vitest';
import { berth } from './run-berth.ts';

const job = (name: string, spec: string, request = 'cpu: "1"', count = 3) =>
  `apiVersion: batch/v1\nkind: Job\nmetadata: {name: ${name}}\n` +
  `spec: {completions: ${count}, parallelism: ${count}, template: {` +
  'metadata: {annotations: {berth.dev/run-duration: 5m}}, ' +
  `spec: {${spec}restartPolicy: Never, containers: [{name: c, resources: {requests: {${request}}}}]}}}\n---\n`;

async function simulated(yaml: string, ...argv: string[]) {
  const { code, out } = await berth(['simulate', '-f', 'f.yaml', '-o', 'json', ...argv], { 'f.yaml': yaml });
  const { pods, log, clock } = JSON.parse(out) as Readonly<Record<string, unknown>>;
  return { code, out, pods, log, clock };
}

const TEMPLATE = `
apiVersion: resource.k8s.io/v1
kind: ResourceClaimTemplate
metadata: {name: pair}
spec:
  spec:
    devices:
      requests:
        - name: g
          exactly:
            deviceClassName: gpu.berth.dev
            count: 2
            selectors: [{cel: {expression: 'device.attributes["gpu.berth.dev"].model == "h100"'}}]
---
`;

it('runs pods with claims on the devices of a shape, which are given to others when the pods have ended', async () => {
  const yaml = TEMPLATE + job('train', 'resourceClaims: [{name: g, resourceClaimTemplateName: pair}], ');
  const argv = ['--nodes', '2', '--shape', 'cpu=8,gpu=2,model=h100', 'cpu=8,gpu=2,model=a100'];
  const { code, pods } = await simulated(yaml, ...argv);
  // One pair of H100s for three pods, one after the other.
  expect(code).toBe(0);
  expect(pods).toMatchObject({ succeeded: 3, failed: 0 });
});

it('runs pods whose extended resource stands for devices', async () => {
  const yaml =
    'apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: card}\n' +
    'spec: {extendedResourceName: example.com/gpu, ' +
    `selectors: [{cel: {expression: 'device.driver == "gpu.berth.dev"'}}]}\n---\n`;
  const request = 'example.com/gpu: 1';
  const { code, pods } = await simulated(yaml + job('ext', '', request), '--nodes', '1', '--shape', 'cpu=8,gpu=2');
  expect(code).toBe(0);
  expect(pods).toMatchObject({ succeeded: 3, failed: 0 });
});

const GROUPS = ['a', 'b']
  .map(
    (name) =>
      `apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {name: ${name}}\n` +
      'spec: {schedulingPolicy: {gang: {minCount: 3}}}\n---\n' +
      job(name, `schedulingGroup: {podGroupName: ${name}}, `),
  )
  .join('');

it('runs gangs as a whole, one after the other where there is room for one', async () => {
  const argv = ['--nodes', '1', '--shape', 'cpu=5', '--feature-gates', 'GenericWorkload=true,GangScheduling=true'];
  const { code, pods } = await simulated(GROUPS, ...argv);
  expect(code).toBe(0);
  expect(pods).toMatchObject({ succeeded: 6 });
});

it('ends although a gang never fits', async () => {
  const argv = ['--nodes', '1', '--shape', 'cpu=2', '--feature-gates', 'GenericWorkload=true,GangScheduling=true'];
  const { code, pods } = await simulated(GROUPS, ...argv, '--until', '10m');
  expect(code).toBe(2);
  expect(pods).toMatchObject({ succeeded: 0, scheduled: 0 });
});

const BREAKS = `apiVersion: berth.dev/v1alpha1
kind: Workload
changes:
  - at: 1m
    patch:
      apiVersion: resource.k8s.io/v1
      kind: ResourceSlice
      metadata: {name: node-00000-gpu.berth.dev}
      spec: {devices: [{name: gpu-0, taints: [{key: broken, effect: NoExecute}]}]}
`;

it.each([
  ['true', 1],
  ['false', 0],
])('a device that breaks costs its pod the place, if devices have taints: %s', async (gate, evicted) => {
  const template =
    'apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {name: one}\n' +
    'spec: {spec: {devices: {requests: [{name: g, exactly: {deviceClassName: gpu.berth.dev}}]}}}\n---\n';
  const own = job('train', 'resourceClaims: [{name: g, resourceClaimTemplateName: one}], ', undefined, 1);
  const argv = ['--workload', 'w.yaml', '--nodes', '2', '--shape', 'cpu=8,gpu=1', '--feature-gates'];
  const files = { 'f.yaml': template + own, 'w.yaml': BREAKS };
  const { code, out } = await berth(
    ['simulate', '-f', 'f.yaml', '-o', 'json', ...argv, `DRADeviceTaints=${gate}`],
    files,
  );
  expect(code).toBe(0);
  expect(JSON.parse(out)).toMatchObject({ pods: { succeeded: 1, evicted, created: 1 + evicted } });
});
