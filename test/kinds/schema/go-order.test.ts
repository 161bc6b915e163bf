import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiObject, JsonObject, JsonValue } from '../../../src/kinds/object/json.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';
import { inNameOrder } from '../../../src/kinds/schema/go-order.ts';

const schemas = new KindSchemas();
const pod = {
  kind: 'Pod',
  apiVersion: 'v1',
  metadata: { name: 'a', namespace: 'b', uid: 'c', resourceVersion: '1', labels: { a: '1', b: '2' } },
  spec: {
    volumes: [{ name: 'v', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
    containers: [
      { name: 'c', image: 'i', ports: [{ name: 'p', hostPort: 1, containerPort: 2 }], imagePullPolicy: 'Always' },
      { name: 'd', image: 'j', resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '1' } } },
    ],
    restartPolicy: 'Always',
    nodeSelector: { x: '1', y: '2' },
    nodeName: 'n',
  },
  status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }] },
} as unknown as ApiObject;

/** The same value with the members of all objects in an order that the numbers say. */
function shuffled(value: JsonValue, numbers: readonly number[], at = { next: 0 }): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, numbers, at));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, member]): [number, string, JsonValue] => {
    at.next = (at.next + 1) % numbers.length;
    return [numbers[at.next] ?? 0, name, shuffled(member as JsonValue, numbers, at)];
  });
  return Object.fromEntries(entries.sort(([a], [b]) => a - b).map(([, name, member]) => [name, member]));
}

const numbers = fc.array(fc.integer(), { minLength: 1, maxLength: 60 });

describe('the order of members', () => {
  const schema = schemas.builtIn('', 'v1', 'Pod')!;

  it('property: is that of Go, whatever it was', () => {
    const text = JSON.stringify(pod);
    fc.assert(
      fc.property(numbers, (drawn) => {
        const given = shuffled(pod as JsonObject, drawn) as ApiObject;
        expect(JSON.stringify(schema.ordered(given))).toBe(text);
      }),
    );
  });

  it('shares what is in order, and changes nothing', () => {
    expect(schema.ordered(pod)).toBe(pod);
    const { spec, ...rest } = pod as JsonObject;
    const given = Object.freeze({ spec, ...rest }) as ApiObject;
    expect((schema.ordered(given) as JsonObject)['spec']).toBe(spec);
    expect(Object.keys(given)[0]).toBe('spec');
  });

  it('is by name where there is no type', () => {
    const value = { b: [{ d: 1, c: { f: 2, e: 3 } }], a: null };
    expect(JSON.stringify(inNameOrder(value))).toBe('{"a":null,"b":[{"c":{"e":3,"f":2},"d":1}]}');
  });
});
