import { describe, expect, it } from 'vitest';
import type { DeviceClass } from '../../../../src/api/resource-claims.ts';
import { ClusterObjects } from '../../../../src/framework/cluster-objects.ts';
import { ResourceClasses } from '../../../../src/plugins/dynamic-resources/extended/resource-classes.ts';

const GPU = 'example.com/gpu';

function classOf(name: string, created?: string, extendedResourceName: string | undefined = GPU): DeviceClass {
  return {
    metadata: { name, ...(created !== undefined && { creationTimestamp: created }) },
    spec: { ...(extendedResourceName !== '' && { extendedResourceName }) },
  };
}

function start(...classes: readonly DeviceClass[]) {
  const objects = new ClusterObjects();
  const known = new ResourceClasses(objects);
  for (const each of classes) {
    objects.set('DeviceClass', each);
    known.of(GPU);
  }
  const nameOf = (resource: string): string | undefined => known.of(resource)?.metadata?.name;
  return { objects, nameOf, implicit: (name: string) => nameOf(`deviceclass.resource.kubernetes.io/${name}`) };
}

describe('ResourceClasses', () => {
  it('finds a class by the resource that it names, and by its own name', () => {
    const { nameOf, implicit } = start(classOf('a'), classOf('b', undefined, ''));
    expect([nameOf(GPU), implicit('a'), implicit('b'), nameOf('example.com/other')]).toEqual([
      'a',
      'a',
      'b',
      undefined,
    ]);
  });

  it('prefers the newer class, then the smaller name; one that loses on arrival backs nothing', () => {
    const older = start(classOf('new', '2026-01-02T00:00:00Z'), classOf('old', '2026-01-01T00:00:00Z'));
    expect([older.nameOf(GPU), older.implicit('old')]).toEqual(['new', undefined]);
    const newer = start(classOf('old', '2026-01-01T00:00:00Z'), classOf('new', '2026-01-02T00:00:00Z'));
    expect([newer.nameOf(GPU), newer.implicit('old')]).toEqual(['new', 'old']);
    expect(start(classOf('b'), classOf('a')).nameOf(GPU)).toBe('a');
    expect(start(classOf('a'), classOf('b')).nameOf(GPU)).toBe('a');
  });

  it('follows changes of a class, and knows classes from before', () => {
    const { objects, nameOf, implicit } = start(classOf('a'));
    objects.set('DeviceClass', classOf('a', undefined, 'example.com/other'));
    expect([nameOf(GPU), nameOf('example.com/other'), implicit('a')]).toEqual([undefined, 'a', 'a']);
    expect(new ResourceClasses(objects).of('example.com/other')?.metadata?.name).toBe('a');
    objects.remove('DeviceClass', 'a');
    expect([nameOf('example.com/other'), implicit('a')]).toEqual([undefined, undefined]);
  });
});
