import { describe, expect, it } from 'vitest';
import { FIELD_TABLE } from '../../../src/api/fields/field-table.ts';
import { findUnknownFields } from '../../../src/api/fields/unknown-fields.ts';
import { liveObjects } from '../../dump/live-objects.ts';
import { fieldTable } from './generate-table.ts';

function unknown(kind: string, object: object): string[] {
  const paths: string[] = [];
  findUnknownFields(kind, object, (path) => paths.push(path));
  return paths;
}

describe('the table of fields', () => {
  it('is that of the official client', () => {
    expect(FIELD_TABLE).toBe(fieldTable());
  });
});

describe('findUnknownFields', () => {
  it('names misspelt fields by their path, at any depth', () => {
    const pod = {
      kind: 'Pod',
      metadata: { name: 'a', label: {}, labels: { anything: 'goes' }, managedFields: [{ nonsense: 1 }] },
      spec: {
        nodeselector: {},
        containers: [{ name: 'c' }, { name: 'd', resources: { request: {}, requests: { cpu: 1 } } }],
        volumes: [{ name: 'v', configMap: { items: [{ key: 'a', paths: 'b' }] } }],
        affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { 'node.terms': [] } } },
      },
    };
    expect(unknown('Pod', pod)).toEqual([
      'metadata.label',
      'spec.nodeselector',
      'spec.containers[1].resources.request',
      'spec.volumes[0].configMap.items[0].paths',
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution[node.terms]',
    ]);
  });

  it('leaves values of another form to the validation, and other kinds alone', () => {
    expect(unknown('Pod', { spec: 'text', metadata: [{}], status: null })).toEqual([]);
    expect(unknown('Lease', { anything: 1 })).toEqual([]);
    expect(unknown('Node', { constructor: 1, toString: 2 })).toEqual(['constructor', 'toString']);
  });

  it('knows all fields of a live cluster', () => {
    const known = [...liveObjects({ nodes: 3, pods: 30, seed: 1 })];
    expect(known.flatMap((object) => unknown(object['kind'] as string, object))).toEqual([]);
  });
});
