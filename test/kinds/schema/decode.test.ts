import { describe, expect, it } from 'vitest';
import { DecodeError } from '../../../src/kinds/object/kind-schema.ts';
import { decodeStruct } from '../../../src/kinds/schema/decode.ts';
import { apiTypes } from '../../../src/kinds/schema/go-types.ts';

function decoded(id: string, value: object): { readonly object: unknown; readonly unknown: string[] } {
  const unknown: string[] = [];
  const object = decodeStruct(structuredClone(value) as never, apiTypes().struct(id)!, unknown);
  return { object, unknown };
}

describe('decodeStruct', () => {
  it('drops nulls, empty values and unknown fields, and reports the latter in document order', () => {
    const spec = { replicas: null, paused: false, minReadySeconds: 0, bogus: 1, template: { spec: { x: 1 } } };
    const { object, unknown } = decoded('apps/v1.Deployment', { zip: 1, spec });
    expect(object).toEqual({
      metadata: {},
      spec: { selector: null, strategy: {}, template: { metadata: {}, spec: { containers: null } } },
      status: {},
    });
    expect(unknown).toEqual(['zip', 'spec.bogus', 'spec.template.spec.x']);
  });

  it('writes quantities and times in their canonical form', () => {
    const container = { name: 'a', resources: { requests: { cpu: '0.5', memory: '1024Ki', 'example.com/x': 2000 } } };
    const { object } = decoded('core/v1.Pod', {
      spec: { containers: [container] },
      status: { startTime: '2024-05-01T12:00:00.5+02:00' },
    });
    expect(object).toMatchObject({
      spec: { containers: [{ resources: { requests: { cpu: '500m', memory: '1Mi', 'example.com/x': '2k' } } }] },
      status: { startTime: '2024-05-01T10:00:00Z' },
    });
  });

  it.each([
    ['core/v1.Pod', { spec: 5 }, 'json: cannot unmarshal number into Go struct field Pod.spec of type v1.PodSpec'],
    [
      'core/v1.Pod',
      { metadata: { labels: { a: 5 } } },
      'json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string',
    ],
    [
      'apps/v1.Deployment',
      { spec: { replicas: 1.5 } },
      'json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32',
    ],
    [
      'core/v1.Pod',
      { spec: { containers: [{ ports: [{ containerPort: 'x' }] }] } },
      'json: cannot unmarshal string into Go struct field ContainerPort.spec.containers.ports.containerPort of type' +
        ' int32',
    ],
    [
      'policy/v1.PodDisruptionBudget',
      { spec: { minAvailable: {} } },
      'json: cannot unmarshal object into Go struct field PodDisruptionBudgetSpec.spec.minAvailable of type int32',
    ],
  ])('refuses a wrong type within %s in the words of Go', (id, value, message) => {
    expect(() => decoded(id, value)).toThrow(new DecodeError(message));
  });

  it('keeps a key that is named like the prototype', () => {
    const value = JSON.parse('{"data":{"__proto__":"x"}}') as object;
    expect(JSON.stringify(decoded('core/v1.ConfigMap', value).object)).toContain('"__proto__":"x"');
  });
});
