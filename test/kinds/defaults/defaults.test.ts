import { describe, expect, it } from 'vitest';
import { pullPolicyOf } from '../../../src/kinds/defaults/image-pull-policy.ts';
import type { ApiObject, JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const schemas = new KindSchemas();

function defaulted(group: string, version: string, kind: string, value: JsonObject): ApiObject {
  const schema = schemas.builtIn(group, version, kind)!;
  const { object } = schema.decode({ apiVersion: group === '' ? version : `${group}/${version}`, kind, ...value });
  schema.setDefaults(object);
  const again = structuredClone(object);
  schema.setDefaults(again);
  expect(again).toEqual(object);
  return object;
}

describe('setDefaults', () => {
  it('fills in a pod: limits become requests, ports of the host network their host ports', () => {
    const container = { name: 'a', image: 'x:1', ports: [{ containerPort: 80 }], resources: { limits: { cpu: '1' } } };
    const { spec } = defaulted('', 'v1', 'Pod', { spec: { hostNetwork: true, containers: [container] } }) as JsonObject;
    expect(spec).toMatchObject({
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      terminationGracePeriodSeconds: 30,
      containers: [
        {
          imagePullPolicy: 'IfNotPresent',
          ports: [{ containerPort: 80, hostPort: 80, protocol: 'TCP' }],
          resources: { limits: { cpu: '1' }, requests: { cpu: '1' } },
        },
      ],
    });
  });

  it('gives a template in a deployment neither links nor requests', () => {
    const container = { name: 'a', image: 'x', resources: { limits: { cpu: '1' } } };
    const template = { spec: { containers: [container] } };
    const object = defaulted('apps', 'v1', 'Deployment', { spec: { template } }) as JsonObject;
    const spec = object['spec'] as { replicas: number; template: { spec: JsonObject } };
    expect(spec.replicas).toBe(1);
    expect(spec.template.spec['enableServiceLinks']).toBeUndefined();
    expect(spec.template.spec['containers']).toMatchObject([
      { imagePullPolicy: 'Always', resources: { limits: { cpu: '1' } } },
    ]);
  });

  it('writes what Go always writes', () => {
    expect(defaulted('', 'v1', 'Event', {})).toMatchObject({ eventTime: null, reportingComponent: '' });
    expect(defaulted('apps', 'v1', 'StatefulSet', {})['status']).toEqual({ replicas: 0, availableReplicas: 0 });
  });

  it('turns texts of a secret into data', () => {
    expect(defaulted('', 'v1', 'Secret', { stringData: { a: 'x' } })).toMatchObject({
      data: { a: 'eA==' },
      type: 'Opaque',
    });
  });
});

describe('pullPolicyOf', () => {
  it.each([
    ['nginx', 'Always'],
    ['host:5000/nginx', 'Always'],
    ['nginx:latest', 'Always'],
    ['nginx:1.27', 'IfNotPresent'],
    ['nginx@sha256:abc', 'IfNotPresent'],
  ])('pulls %s %s', (image, policy) => {
    expect(pullPolicyOf(image)).toBe(policy);
  });
});
