import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';

const schemas = new KindSchemas();

function problems(group: string, kind: string, value: JsonObject): string[] {
  const schema = schemas.builtIn(group, 'v1', kind)!;
  const { object } = schema.decode(value);
  schema.setDefaults(object);
  return schema.validate(object, []).map(({ field, message }) => `${field}: ${message}`);
}

const pod = (container: JsonObject): JsonObject => ({
  spec: { containers: [{ name: 'a', image: 'x', ...container }] },
});

describe('validate', () => {
  it('accepts what is right', () => {
    expect(problems('', 'Pod', pod({}))).toEqual([]);
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'a', image: 'x' }] } };
    const deployment = { spec: { selector: { matchLabels: { a: 'b' } }, template } };
    expect(problems('apps', 'Deployment', deployment)).toEqual([]);
  });

  it.each<[string, string, JsonObject, string]>([
    ['', 'Pod', { spec: { containers: [] } }, 'spec.containers: Required value'],
    [
      '',
      'Pod',
      pod({ ports: [{ containerPort: 70_000 }] }),
      'spec.containers[0].ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive',
    ],
    [
      '',
      'Pod',
      pod({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ],
    [
      '',
      'Pod',
      pod({ volumeMounts: [{ name: 'gone', mountPath: '/x' }] }),
      'spec.containers[0].volumeMounts[0].name: Not found: "gone"',
    ],
    ['', 'ConfigMap', { data: { '..': 'x' } }, 'data[..]: Invalid value: "..": must not be \'..\''],
    ['', 'Service', { spec: {} }, 'spec.ports: Required value'],
    [
      'coordination.k8s.io',
      'Lease',
      { spec: { leaseDurationSeconds: 0 } },
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ],
    [
      'policy',
      'PodDisruptionBudget',
      { spec: { maxUnavailable: '150%' } },
      'spec.maxUnavailable: Invalid value: "150%": must not be greater than 100%',
    ],
  ])('finds the problem of a %s %s', (group, kind, value, problem) => {
    expect(problems(group, kind, value)).toEqual([problem]);
  });

  it('quotes internal structs with the names of Go', () => {
    const [problem] = problems('apps', 'DaemonSet', { spec: { updateStrategy: { type: 'X' } } }).filter((text) =>
      text.includes('updateStrategy'),
    );
    expect(problem).toBe(
      'spec.updateStrategy: Unsupported value: {"Type":"X","RollingUpdate":null}: ' +
        'supported values: "RollingUpdate", "OnDelete"',
    );
  });
});
