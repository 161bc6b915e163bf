import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { KubernetesObject } from '../../../src/api/meta.ts';
import type { Pod } from '../../../src/api/pod.ts';
import { ResourceRegistry } from '../../../src/apiserver/resources/resource-registry.ts';
import { CompleteForms } from '../../../src/apiserver/storage/complete-forms.ts';
import type { ApiObject } from '../../../src/kinds/object/json.ts';
import type { ServedResource } from '../../../src/kinds/object/kind-schema.ts';
import { KindSchemas } from '../../../src/kinds/registry/schema-registry.ts';
import { deepFrozen } from '../../../src/lib/deep-frozen.ts';

const PODS = new ResourceRegistry(new KindSchemas()).find('', 'v1', 'pods') as ServedResource;

/** The complete form by the rules of the kind alone. */
function completeAlone(pod: KubernetesObject): ApiObject {
  const { object } = PODS.schema.decode(JSON.parse(JSON.stringify({ ...pod, apiVersion: 'v1', kind: 'Pod' })));
  PODS.schema.setDefaults(object);
  return object;
}

const container = fc.record(
  {
    name: fc.constantFrom('a', 'b'),
    image: fc.constantFrom('i', 'i:1', ''),
    imagePullPolicy: fc.constantFrom('', 'Always'),
    ports: fc.constantFrom([], [{ containerPort: 80 }], [{ containerPort: 80, hostPort: 0 }]),
    resources: fc.constantFrom({}, { limits: { cpu: '0.5' } }, { requests: { cpu: '1u' }, limits: { memory: '1Gi' } }),
  },
  { requiredKeys: ['name'] },
);

const spec = fc.record(
  {
    containers: fc.array(container, { maxLength: 2 }),
    nodeName: fc.constantFrom('', 'n'),
    hostNetwork: fc.constantFrom(true, false),
    dnsPolicy: fc.constantFrom('', 'Default'),
    serviceAccount: fc.constantFrom('', 's'),
    tolerations: fc.constantFrom([], [{ key: 'k', operator: 'Exists' }]),
    terminationGracePeriodSeconds: fc.constantFrom(-1, 0, 5),
  },
  { requiredKeys: [] },
);

const status = fc.record(
  { phase: fc.constantFrom('', 'Running'), conditions: fc.constantFrom([], [{ type: 'Ready', status: 'True' }]) },
  { requiredKeys: [] },
);

/** What the cluster does with a pod. */
const change = fc.oneof(
  fc.record({ nodeName: fc.constantFrom('m', 'n', '') }),
  fc.record({ priority: fc.constantFrom(0, 1) }),
  fc.record({ status }),
);

describe('complete forms', () => {
  it('property: pods that share parts are completed as each one alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(spec, status), { minLength: 1, maxLength: 3 }),
        fc.array(change),
        (pods, changes) => {
          const forms = new CompleteForms(PODS);
          const stored: Pod[] = pods.map(([podSpec, podStatus], i) => {
            const metadata = { name: `p${i}`, labels: {}, creationTimestamp: '2026-01-01T00:00:00Z' };
            return deepFrozen({ metadata, spec: podSpec, status: podStatus } as unknown as Pod);
          });
          const complete = completeAlone({ metadata: { name: 'api' }, ...stored[0] });
          forms.note(deepFrozen(complete));
          stored.push(complete as unknown as Pod);
          for (const [i, one] of changes.entries()) {
            const from = stored[(i * 7) % stored.length] as Pod;
            const next = 'status' in one ? { ...from, ...one } : { ...from, spec: { ...from.spec, ...one } };
            stored.push(deepFrozen(next as Pod));
          }
          for (const pod of [...stored, ...stored]) expect(forms.of(pod)).toEqual(completeAlone(pod));
        },
      ),
    );
  });

  it('bound pods share what their template has', () => {
    const forms = new CompleteForms(PODS);
    const containers = deepFrozen([{ name: 'c', image: 'i' }]);
    const status = deepFrozen({ phase: 'Pending' });
    const [a, b] = ['n', 'm'].map((nodeName) => {
      const pod = { metadata: { name: nodeName }, spec: { containers, nodeName }, status };
      return forms.of(deepFrozen(pod as unknown as Pod));
    }) as [ApiObject, ApiObject];
    const members = (pod: ApiObject) => [(pod['spec'] as ApiObject)['containers'], pod['status']];
    expect(members(a).every((member, i) => member === members(b)[i])).toBe(true);
    expect(b).toEqual(completeAlone({ metadata: { name: 'm' }, spec: { containers, nodeName: 'm' }, status } as Pod));
  });
});
