import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SharedParts } from '../../src/manifests/shared-parts.ts';
import { StreamDecoder } from '../../src/manifests/stream-decoder.ts';
import { shapeOf } from '../../src/manifests/value-shape.ts';
import { removeNulls } from '../../src/manifests/without-nulls.ts';

/** Few keys and values, so that parts are often equal, and often equal but for one member, its order or its kind. */
const part = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(
      '"a"',
      '"a text that is longer"',
      '"é"',
      '0',
      '1',
      '-0',
      '1e400',
      '9007199254740993',
      'true',
      'null',
    ),
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[${items.join()}]`),
    tie('object'),
  ),
  object: fc
    .uniqueArray(
      fc.tuple(fc.constantFrom('a', 'b', '0', '__proto__', 'constructor', 'length', 'toString'), tie('value')),
      {
        maxLength: 4,
        selector: ([key]) => key,
      },
    )
    .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`),
})).object as fc.Arbitrary<string>;

const object = fc
  .record({ owner: fc.constantFrom('"x"', '"y"', '1', 'null'), metadata: part, spec: part, hasOwner: fc.boolean() })
  .map(({ owner, metadata, spec, hasOwner }) => {
    const references = hasOwner ? `"ownerReferences":[{"uid":${owner}}],` : '';
    return `{"metadata":{${references}"more":${metadata}},"spec":${spec},"also":${metadata}}`;
  });

describe('parts that objects of one owner share', () => {
  it('leave every object as it was parsed, with its members in order', () => {
    fc.assert(
      fc.property(fc.array(object, { minLength: 2, maxLength: 8, size: 'max' }), (texts) => {
        const parts = new SharedParts();
        const seen = texts.map((text) => {
          const value: unknown = JSON.parse(text);
          expect(parts.share(value)).toEqual(shapeOf(JSON.parse(text)));
          removeNulls(value);
          return value;
        });
        const wanted = texts.map((text) => {
          const value: unknown = JSON.parse(text);
          removeNulls(value);
          return JSON.stringify(value);
        });
        expect(seen.map((value) => JSON.stringify(value))).toEqual(wanted);
      }),
      { numRuns: 300 },
    );
  });

  it('are one object, also within parts that differ', () => {
    const pod = (name: string) =>
      JSON.stringify({
        metadata: { name, labels: { app: 'a' }, ownerReferences: [{ kind: 'ReplicaSet', uid: 'u' }] },
        spec: { volumes: [{ name: `token-${name}` }, { name: 'data', emptyDir: {} }], tolerations: [{ key: 'k' }] },
      });
    const decoder = new StreamDecoder('pods.ndjson');
    const found = [...decoder.push(Buffer.from(`${pod('p')}\n${pod('q')}\n${pod('r')}`)), ...decoder.end()];
    const [first, second, third] = found.map(({ value }) => value as Pod);
    expect(second?.metadata.labels).toBe(first?.metadata.labels);
    expect(third?.metadata.labels).toBe(first?.metadata.labels);
    expect(second?.spec.tolerations).toBe(first?.spec.tolerations);
    expect(second?.spec.volumes[1]).toBe(first?.spec.volumes[1]);
    expect(second?.spec.volumes[0]).toEqual({ name: 'token-q' });
  });

  it('refuse what is nested too deeply, whether a part was seen or not', () => {
    const deep = (depth: number) =>
      `{"metadata":{"ownerReferences":[{"uid":"u"}]},"spec":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    const parts = new SharedParts();
    expect(parts.share(JSON.parse(deep(1)))).toEqual({ members: 4, hasLargeNumbers: false });
    expect(parts.share(JSON.parse(deep(200)))).toEqual({ members: 4, hasLargeNumbers: false });
    expect(parts.share(JSON.parse(deep(300)))).toBeNull();
    expect(new SharedParts().share(JSON.parse(deep(300)))).toBeNull();
  });
});

interface Pod {
  readonly metadata: { readonly labels: object };
  readonly spec: { readonly volumes: readonly object[]; readonly tolerations: readonly object[] };
}
